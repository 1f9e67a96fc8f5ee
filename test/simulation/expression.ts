import { isDeepStrictEqual } from 'node:util'
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb'

type Attributes = Readonly<Record<string, unknown>>

/** What the placeholders of a command stand for. */
type Placeholders = Partial<
  Pick<UpdateCommandInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>
>

type Condition = (item: Attributes) => boolean

type Comparison = (stored: unknown, given: unknown) => boolean

/** DynamoDB knows no prototypes. What is stored is plain, and so is this copy of what is given. */
const isEqual: Comparison = (stored, given) => isDeepStrictEqual(stored, structuredClone(given))

/** Values of different types are in no order. */
const isBefore: Comparison = (one, other) =>
  typeof one === typeof other && (one as string) < (other as string)

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': isEqual,
  '<': isBefore,
  '<=': (stored, given) => stored === given || isBefore(stored, given),
  '>': (stored, given) => isBefore(given, stored),
}

/**
 * The part of DynamoDB's expressions that this project uses. Anything else throws, so that it is
 * added here knowingly.
 */
function parser(
  text: string,
  { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Placeholders,
) {
  const tokens: string[] = text.match(/[#:]?\w+|[<>]=|\S/g) ?? []
  const unknown = (): never => {
    throw new Error(`The simulated database does not know this expression: ${text}`)
  }
  const next = (): string => tokens.shift() ?? ''
  const tries = (token: string): boolean => tokens[0] === token && next() === token
  const expects = (token: string): boolean => tries(token) || unknown()

  function list<Each>(separator: string, each: () => Each): Each[] {
    const all = [each()]
    while (tries(separator)) all.push(each())
    return all
  }
  function name(): string {
    const token = next()
    return (/^\w/.test(token) ? token : ExpressionAttributeNames[token]) ?? unknown()
  }
  function value(): unknown {
    const found = ExpressionAttributeValues[next()]
    return found === undefined ? unknown() : found
  }

  function condition(): Condition {
    const any = list('OR', () => list('AND', part))
    return (item) => any.some((all) => all.every((holds) => holds(item)))
  }
  function part(): Condition {
    if (tries('(')) return closed(condition())
    const isAbsent = tokens[0] === 'attribute_not_exists'
    if (isAbsent || tokens[0] === 'attribute_exists') {
      next()
      expects('(')
      const attribute = name()
      return closed((item) => (item[attribute] === undefined) === isAbsent)
    }
    if (tries('begins_with')) {
      expects('(')
      const attribute = name()
      expects(',')
      const beginning = value() as string
      return closed((item) => String(item[attribute] ?? '').startsWith(beginning))
    }
    const attribute = name()
    if (tries('IN')) {
      expects('(')
      const given = list(',', value)
      return closed((item) => given.some((each) => isEqual(item[attribute], each)))
    }
    const compare = comparisons[next()] ?? unknown()
    const given = value()
    return (item) => compare(item[attribute], given)
  }
  function closed(condition: Condition): Condition {
    expects(')')
    return condition
  }
  const ended = <Result>(result: Result): Result => (tokens.length === 0 ? result : unknown())
  return { tries, expects, list, name, value, condition, ended }
}

export function conditionOf(text: string, placeholders: Placeholders): Condition {
  const { condition, ended } = parser(text, placeholders)
  return ended(condition())
}

/** The names of a projection. */
export function namesOf(text: string, placeholders: Placeholders): string[] {
  const { list, name, ended } = parser(text, placeholders)
  return ended(list(',', name))
}

export function updated(item: Attributes, text: string, placeholders: Placeholders): Attributes {
  const after: Record<string, unknown> = { ...item }
  const { tries, expects, list, name, value, ended } = parser(text, placeholders)
  const each = (clause: string, change: (name: string) => void) =>
    tries(clause) && list(',', () => change(name()))
  each('SET', (name) => {
    expects('=')
    after[name] = value()
  })
  each('REMOVE', (name) => delete after[name])
  each('ADD', (name) => {
    const [stored, added] = [after[name], value()]
    after[name] =
      added instanceof Set
        ? new Set([...((stored ?? []) as Iterable<unknown>), ...added])
        : Number(stored ?? 0) + Number(added)
  })
  return ended(after)
}
