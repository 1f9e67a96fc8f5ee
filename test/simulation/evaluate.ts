import { isDeepStrictEqual } from 'node:util'
import { ValidationException } from './errors.ts'
import type { Attributes, Condition, Operand, Update } from './expression.ts'

const present = (value: unknown, message: string): unknown => (value === undefined ? invalid(message) : value)

/** What the placeholders of a command's expressions stand for. */
export class Placeholders {
  readonly #names: Readonly<Record<string, string>>
  readonly #values: Attributes

  /** @throws ValidationException if a placeholder is used by no expression */
  constructor({ ExpressionAttributeNames = {}, ExpressionAttributeValues = {}, ...input }: WithPlaceholders) {
    this.#names = ExpressionAttributeNames
    this.#values = ExpressionAttributeValues
    const expressions = Object.entries(input).filter(([field]) => field.endsWith('Expression'))
    const used = expressions.flatMap(([, text]) => `${text ?? ''}`.match(/[#:]\w+/g) ?? [])
    for (const placeholder of [...Object.keys(this.#names), ...Object.keys(this.#values)]) {
      if (!used.includes(placeholder)) invalid(`${placeholder} is not used`)
    }
  }

  name(name: string): string {
    return name.startsWith('#') ? (this.#names[name] ?? invalid(`${name} stands for nothing`)) : name
  }

  value(name: string): unknown {
    return present(this.#values[name], `${name} stands for nothing`)
  }
}

/** A command's input; its expressions are the fields whose names end in `Expression`. */
type WithPlaceholders = {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined
  readonly ExpressionAttributeValues?: Attributes | undefined
}

const invalid = (message: string): never => {
  throw new ValidationException(message)
}

export function holds(condition: Condition, item: Attributes | undefined, given: Placeholders): boolean {
  if ('all' in condition) return condition.all.every((each) => holds(each, item, given))
  if ('any' in condition) return condition.any.some((each) => holds(each, item, given))
  if ('not' in condition) return !holds(condition.not, item, given)
  if ('exists' in condition) return item?.[given.name(condition.exists)] !== undefined
  if ('prefix' in condition) {
    const [text, prefix] = condition.prefix.map((operand) => read(operand, item, given))
    return typeof text === 'string' && typeof prefix === 'string' && text.startsWith(prefix)
  }
  if ('between' in condition) {
    const [value, least, most] = condition.between.map((operand) => read(operand, item, given))
    if (compares('>', least, most)) invalid('BETWEEN goes from the lesser to the greater.')
    return compares('>=', value, least) && compares('<=', value, most)
  }
  return compares(condition.compare, read(condition.left, item, given), read(condition.right, item, given))
}

function compares(comparison: string, left: unknown, right: unknown): boolean {
  if (comparison === '=') return left !== undefined && isDeepStrictEqual(left, right)
  const comparable = typeof left === typeof right && (typeof left === 'string' || typeof left === 'number')
  if (!comparable) return false
  const order = typeof left === 'string' ? compareText(left, right as string) : left - (right as number)
  return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[comparison] as boolean
}

/** In order of the bytes, which is that of UTF-16 units as long as no surrogates are in it. */
export function compareText(a: string, b: string): number {
  if (!a.isWellFormed() || /[\ud800-\udfff]/.test(a + b))
    throw new Error('The simulated database compares no surrogates.')
  return a < b ? -1 : a > b ? 1 : 0
}

function read(operand: Operand, item: Attributes | undefined, given: Placeholders): unknown {
  if ('value' in operand) return given.value(operand.value)
  if ('sum' in operand) {
    const [left, right] = operand.sum.map((each) => read(each, item, given))
    return sum(left, right)
  }
  const stored = item?.[given.name(operand.attribute)]
  return 'otherwise' in operand ? (stored === undefined ? read(operand.otherwise, item, given) : stored) : stored
}

const sum = (left: unknown, right: unknown): number =>
  typeof left === 'number' && typeof right === 'number' ? left + right : invalid('adds no numbers')

/** An item after an update. */
export function updated({ set, remove, add }: Update, item: Attributes, given: Placeholders): Attributes {
  const values = set.map(([name, operand]) => [
    given.name(name),
    present(read(operand, item, given), `${name} is set to an attribute that is not there`),
  ])
  const removed = remove.map((name) => given.name(name))
  const kept = Object.entries(item).filter(([name]) => !removed.includes(name))
  const sums = add.map(([name, operand]) => {
    const [stored = 0, more] = [item[given.name(name)], read(operand, item, given)]
    return [given.name(name), sum(stored, more)]
  })
  return Object.fromEntries([...kept, ...values, ...sums])
}
