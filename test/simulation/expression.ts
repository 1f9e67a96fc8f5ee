/** The part of DynamoDB's expressions that this project uses. Anything else throws, so that it is added here knowingly. */

export type Attributes = Readonly<Record<string, unknown>>

export type Operand =
  | { readonly attribute: string }
  | { readonly value: string }
  | { readonly sum: readonly [Operand, Operand] }
  | { readonly attribute: string; readonly otherwise: Operand }

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly exists: string }
  | { readonly prefix: readonly [Operand, Operand] }
  | { readonly between: readonly [Operand, Operand, Operand] }
  | { readonly compare: string; readonly left: Operand; readonly right: Operand }

export type Update = {
  readonly set: readonly (readonly [string, Operand])[]
  readonly remove: readonly string[]
  readonly add: readonly (readonly [string, Operand])[]
}

const token = /\s*(#\w+|:\w+|[A-Za-z_]\w*|<=|>=|[=<>(),+])/y

class Parser {
  readonly #tokens: string[] = []
  #at = 0
  readonly text: string

  constructor(text: string) {
    this.text = text
    token.lastIndex = 0
    for (let end = 0; end < text.trimEnd().length; end = token.lastIndex) {
      const match = token.exec(text)
      if (!match) throw new Error(`The simulated database does not know this expression: ${text}`)
      this.#tokens.push(match[1] as string)
    }
  }

  get done() {
    return this.#at === this.#tokens.length
  }

  take(): string {
    const next = this.#tokens[this.#at++]
    if (next === undefined) throw this.unknown()
    return next
  }

  tries(word: string): boolean {
    const matches = this.#tokens[this.#at]?.toUpperCase() === word
    if (matches) this.#at += 1
    return matches
  }

  expects(word: string): void {
    if (!this.tries(word)) throw this.unknown()
  }

  /** The rest is not what was expected. */
  unknown(): Error {
    return new Error(`The simulated database does not know this expression: ${this.text}`)
  }

  list<Each>(each: () => Each): Each[] {
    const list = [each()]
    while (this.tries(',')) list.push(each())
    return list
  }

  readonly any = (): Condition => {
    const any = [this.all()]
    while (this.tries('OR')) any.push(this.all())
    return any.length === 1 ? (any[0] as Condition) : { any }
  }

  all(): Condition {
    const all = [this.one()]
    while (this.tries('AND')) all.push(this.one())
    return all.length === 1 ? (all[0] as Condition) : { all }
  }

  one(): Condition {
    if (this.tries('NOT')) return { not: this.one() }
    if (this.tries('(')) return this.within(this.any)
    if (this.tries('ATTRIBUTE_EXISTS')) return { exists: this.argument() }
    if (this.tries('ATTRIBUTE_NOT_EXISTS')) return { not: { exists: this.argument() } }
    if (this.tries('BEGINS_WITH')) {
      this.expects('(')
      const [text, prefix, ...more] = this.within(() => this.list(this.operand))
      if (!text || !prefix || more.length > 0) throw this.unknown()
      return { prefix: [text, prefix] }
    }
    const left = this.operand()
    if (this.tries('BETWEEN')) {
      const least = this.operand()
      this.expects('AND')
      return { between: [left, least, this.operand()] }
    }
    const compare = this.take()
    if (!['=', '<', '<=', '>', '>='].includes(compare)) throw this.unknown()
    return { compare, left, right: this.operand() }
  }

  within<Inner>(inner: () => Inner): Inner {
    const result = inner()
    this.expects(')')
    return result
  }

  argument(): string {
    this.expects('(')
    return this.within(this.attribute)
  }

  readonly attribute = (): string => {
    const name = this.take()
    if (!/^[#\w]/.test(name)) throw this.unknown()
    return name
  }

  readonly operand = (): Operand => {
    const name = this.take()
    if (name.startsWith(':')) return { value: name }
    if (/^[#\w]/.test(name)) return { attribute: name }
    throw this.unknown()
  }

  assignment = (): [string, Operand] => {
    const attribute = this.attribute()
    this.expects('=')
    let value = this.assigned()
    if (this.tries('+')) value = { sum: [value, this.assigned()] }
    return [attribute, value]
  }

  assigned(): Operand {
    if (!this.tries('IF_NOT_EXISTS')) return this.operand()
    this.expects('(')
    return this.within(() => {
      const attribute = this.attribute()
      this.expects(',')
      return { attribute, otherwise: this.operand() }
    })
  }
}

function parsing<Result>(parse: (parser: Parser) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const parsed = known.get(text)
    if (parsed !== undefined) return parsed
    const parser = new Parser(text)
    const result = parse(parser)
    if (!parser.done) throw parser.unknown()
    known.set(text, result)
    return result
  }
}

export const parseCondition = parsing((parser) => parser.any())

export const parseProjection = parsing((parser) => parser.list(parser.attribute))

export const parseUpdate = parsing((parser): Update => {
  const set = parser.tries('SET') ? parser.list(parser.assignment) : []
  const remove = parser.tries('REMOVE') ? parser.list(parser.attribute) : []
  const add = parser.tries('ADD') ? parser.list(() => [parser.attribute(), parser.operand()] as const) : []
  return { set, remove, add }
})
