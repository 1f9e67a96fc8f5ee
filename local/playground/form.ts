import type { ComponentChildren } from 'preact'
import type { InputError } from './api.ts'

/** What fields hold, by their names. A field that was left alone has no value. */
export type Values = Readonly<Record<string, string>>

export type Form = {
  values: Values
  /** What the ids of its fields begin with. */
  ids: string
  /** What its errors begin with: `/` for the pointers of a body, nothing for parameters. */
  prefix: string
  errors: FieldErrors
  /** Lines of a field that a click puts in or takes out again. */
  offered?: Readonly<Record<string, readonly string[]>>
  set(values: Values): void
}

/** The values of a select with their texts, or its groups with their options. */
export type Options = readonly (readonly [value: string, text: string | Options])[]

export type Content = 'text' | 'lines' | 'true or false' | 'number' | 'attributes' | 'json'

export type FieldSpec = {
  name: string
  label: ComponentChildren
  hint?: ComponentChildren
  /** By default it is a line of text. */
  as?: Content | Options | undefined
  /** The id of its suggestions. */
  list?: string
  class?: string
  /** The pointer or parameter of its errors, where that is not its own. */
  errorsOf?: string
}

export const linesIn = (text: string): string[] => text.split('\n').filter((line) => line !== '')

export type FieldErrors = ReturnType<typeof byField>

/** Groups errors by field. If several fields match, the longest pointer or parameter wins. */
export function byField(errors: readonly InputError[]) {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-of]')]
  const longestFirst = fields
    .map(({ dataset: { of = '' } }) => of)
    .sort((a, b) => b.length - a.length)
  return Object.groupBy(errors, ({ pointer, parameter }) => {
    // The deployment is a field of the body, or a part of the path. It has one field.
    const at = parameter === 'deploymentId' ? '/deploymentId' : (parameter ?? pointer)
    return longestFirst.find((field) => `${at}/`.startsWith(`${field}/`)) ?? 'elsewhere'
  })
}

/** Waits until the page has changed. Then opens the folds around an element, and focuses it. */
export const focusSoon = (selector: string) =>
  setTimeout(() => {
    const found = document.querySelectorAll<HTMLElement>(selector)
    const [first] = found
    for (const each of found) each.closest('details')?.setAttribute('open', '')
    const panel = first?.closest('[role=tabpanel][hidden]')
    if (panel) document.querySelector<HTMLElement>(`[aria-controls=${panel.id}]`)?.click()
    setTimeout(() => first?.focus())
  })
