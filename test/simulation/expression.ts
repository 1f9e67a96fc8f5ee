import { isDeepStrictEqual } from 'node:util'

export type Attributes = Readonly<Record<string, unknown>>

/** What the placeholders of a command stand for. */
export type Placeholders = {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined
  readonly ExpressionAttributeValues?: Attributes | undefined
}

type Condition = (item: Attributes) => boolean

type Comparison = (stored: unknown, given: unknown) => boolean

/** Values of different types are in no order. */
const ordered =
  (is: (stored: string, given: string) => boolean): Comparison =>
  (stored, given) =>
    typeof stored === typeof given && is(stored as string, given as string)

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': isDeepStrictEqual,
  '<': ordered((stored, given) => stored < given),
  '<=': ordered((stored, given) => stored <= given),
  '>': ordered((stored, given) => stored > given),
  '>=': ordered((stored, given) => stored >= given),
}

/** The part of DynamoDB's expressions that this project uses. Anything else throws, so that it is added here knowingly. */
class Expression {
  readonly #text: string
  readonly #placeholders: Placeholders
  readonly #tokens: string[]

  constructor(text: string, placeholders: Placeholders) {
    this.#text = text
    this.#placeholders = placeholders
    this.#tokens = text.match(/[#:]?\w+|[<>]=|\S/g) ?? []
  }

  /** Reads the expression to its end. */
  whole<Result>(read: () => Result): Result {
    const result = read()
    return this.#tokens.length === 0 ? result : this.#unknown()
  }

  tries(token: string): boolean {
    const isNext = this.#tokens[0] === token
    if (isNext) this.#tokens.shift()
    return isNext
  }

  expects(token: string): void {
    if (!this.tries(token)) this.#unknown()
  }

  list<Each>(separator: string, each: () => Each): Each[] {
    const list = [each()]
    while (this.tries(separator)) list.push(each())
    return list
  }

  readonly name = (): string => {
    const name = this.#tokens.shift() ?? ''
    if (/^\w/.test(name)) return name
    return this.#placeholders.ExpressionAttributeNames?.[name] ?? this.#unknown()
  }

  value(): unknown {
    const value = this.#placeholders.ExpressionAttributeValues?.[this.#tokens.shift() ?? '']
    return value === undefined ? this.#unknown() : value
  }

  readonly condition = (): Condition => {
    const any = this.list('OR', () => this.list('AND', this.#part))
    return (item) => any.some((all) => all.every((holds) => holds(item)))
  }

  readonly #part = (): Condition => {
    if (this.tries('(')) return this.#closed(this.condition)
    if (this.tries('attribute_exists')) return this.#of((name) => (item) => item[name] !== undefined)
    if (this.tries('attribute_not_exists')) return this.#of((name) => (item) => item[name] === undefined)
    if (this.tries('begins_with')) {
      return this.#of((name) => {
        this.expects(',')
        const beginning = this.value() as string
        return (item) => String(item[name] ?? '').startsWith(beginning)
      })
    }
    const name = this.name()
    const compare = comparisons[this.#tokens.shift() ?? ''] ?? this.#unknown()
    const value = this.value()
    return (item) => compare(item[name], value)
  }

  /** A function of an attribute. */
  #of(read: (name: string) => Condition): Condition {
    this.expects('(')
    return this.#closed(() => read(this.name()))
  }

  #closed(read: () => Condition): Condition {
    const condition = read()
    this.expects(')')
    return condition
  }

  #unknown(): never {
    throw new Error(`The simulated database does not know this expression: ${this.#text}`)
  }
}

export function conditionOf(text: string, placeholders: Placeholders): Condition {
  const expression = new Expression(text, placeholders)
  return expression.whole(expression.condition)
}

/** The names of a projection. */
export function namesOf(text: string, placeholders: Placeholders): string[] {
  const expression = new Expression(text, placeholders)
  return expression.whole(() => expression.list(',', expression.name))
}

/** An item after an update. */
export function updated(item: Attributes, text: string, placeholders: Placeholders): Attributes {
  const after: Record<string, unknown> = { ...item }
  const update = new Expression(text, placeholders)
  const each = (clause: string, change: (name: string) => void) =>
    update.tries(clause) && update.list(',', () => change(update.name()))
  update.whole(() => {
    each('SET', (name) => {
      update.expects('=')
      after[name] = update.value()
    })
    each('REMOVE', (name) => delete after[name])
    each('ADD', (name) => {
      after[name] = Number(after[name] ?? 0) + Number(update.value())
    })
  })
  return after
}
