import type { ComponentChildren } from 'preact'
import type { InputError } from './api.ts'

/** What the fields of a form hold, by their names. A field that was left alone has no value. */
export type Values = Readonly<Record<string, string>>

/** What the fields of a form hold, and what their errors and ids begin with. */
export type Form = {
  readonly values: Values
  readonly ids: string
  /** `/` for the pointers of a body, nothing for parameters. */
  readonly prefix: string
  readonly errors: FieldErrors
  /** Lines of a field that a click puts in or takes out again. */
  readonly offered?: Readonly<Record<string, readonly string[]>>
  set(values: Values): void
}

/** The values of a select, with their texts, or with options in turn. */
export type Options = readonly (readonly [value: string, text: string | Options])[]

/** How a body has the text of a field. */
export type Content =
  | 'text'
  | 'colour'
  | 'lines'
  | 'true or false'
  | 'number'
  | 'list of texts'
  | 'list of numbers'
  | 'attributes'
  | 'json'

export type FieldSpec = {
  readonly name: string
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  /** How it looks, and how a body has it. By default it is a line of text. */
  readonly as?: Content | Options | undefined
  /** The id of its suggestions. */
  readonly list?: string
  readonly class?: string
  /** The pointer or parameter of its errors, where that is not its own. */
  readonly errorsOf?: string
}

export const optionsOf = (...values: string[]): Options => values.map((value) => [value, value])

export const linesIn = (text: string): string[] => text.split('\n').filter((line) => line !== '')

export type FieldErrors = ReturnType<typeof byField>

/**
 * An error belongs to the field of its parameter, or to the one with the longest pointer that its
 * own begins with.
 */
export function byField(errors: readonly InputError[]) {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-of]')].map(
    ({ dataset }) => dataset.of ?? '',
  )
  const longestFirst = fields.sort((a, b) => b.length - a.length)
  return Object.groupBy(errors, ({ pointer, parameter }) => {
    // The deployment is a field of the body, or a part of the path. It has one field.
    const at = parameter === 'deploymentId' ? '/deploymentId' : (parameter ?? pointer)
    return longestFirst.find((field) => `${at}/`.startsWith(`${field}/`)) ?? 'elsewhere'
  })
}

/**
 * Focuses the first that the selector finds once the page shows what has changed, and opens what it
 * is folded in.
 */
export const focusSoon = (selector: string) =>
  setTimeout(() => {
    const found = document.querySelectorAll<HTMLElement>(selector)
    const [first] = found
    for (const each of found) each.closest('details')?.setAttribute('open', '')
    const panel = first?.closest('[role=tabpanel][hidden]')
    if (panel) document.querySelector<HTMLElement>(`[aria-controls=${panel.id}]`)?.click()
    setTimeout(() => first?.focus())
  })
