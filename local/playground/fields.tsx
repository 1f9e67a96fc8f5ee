import { type ComponentChildren, createContext, type TargetedInputEvent } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { InputError } from './api.ts'
import type { Values } from './link.ts'

/** The errors of the last answer, by the pointer or parameter of the field that each belongs to. */
export type FieldErrors = ReadonlyMap<string, readonly InputError[]>
export const ErrorsContext = createContext<FieldErrors>(new Map())

/** Where an error belongs: the field of its parameter, or the one whose pointer is the longest that holds its own. */
export function placeErrors(errors: readonly InputError[], names: readonly string[]) {
  const longestFirst = names.toSorted((a, b) => b.length - a.length)
  const nameOf = ({ pointer, parameter }: InputError) =>
    parameter !== undefined
      ? names.find((name) => name === parameter)
      : longestFirst.find((name) => /^(\/|$)/.test(name) && (pointer === name || pointer?.startsWith(`${name}/`)))
  const placed = Map.groupBy(errors, nameOf)
  const elsewhere = placed.get(undefined) ?? []
  placed.delete(undefined)
  return { placed: placed as FieldErrors, elsewhere }
}

/** Brings the first field that has an error into focus, once it is marked. */
export const focusFirstError = () =>
  setTimeout(() => {
    const invalid = [...document.querySelectorAll<HTMLElement>('[aria-invalid]')]
    for (const each of invalid)
      for (let up = each.closest('details'); up; up = up.parentElement?.closest('details') ?? null) up.open = true
    invalid.find((each) => each.checkVisibility())?.focus()
  })

/** What ties a control to its label, hint and errors. */
type Aria = { readonly id: string; readonly 'aria-invalid'?: 'true'; readonly 'aria-describedby'?: string }

type FieldProps = {
  readonly id: string
  /** The pointer or parameter of its errors. */
  readonly name: string
  readonly label?: ComponentChildren
  readonly hint?: ComponentChildren
  readonly class?: string
  /** Whether the label comes after the control. */
  readonly after?: boolean
  readonly extra?: ComponentChildren
  children(aria: Aria): ComponentChildren
}

/** A control with its label, its hint, and the errors that belong to it. */
export function Field({ id, name, label, hint, class: look = '', after, extra, children }: FieldProps) {
  const errors = useContext(ErrorsContext).get(name) ?? []
  const describing = [...(hint ? [`${id}-hint`] : []), ...errors.map((_, index) => `${id}-error-${index}`)]
  const control = children({
    id,
    ...(errors.length > 0 && { 'aria-invalid': 'true' }),
    ...(describing.length > 0 && { 'aria-describedby': describing.join(' ') }),
  })
  return (
    <div class={`field ${look}`}>
      {after && control}
      {label && <label for={id}>{label}</label>}
      {!after && control}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {extra}
      {errors.map(({ pointer, message }, index) => (
        <p class="error" id={`${id}-error-${index}`} key={message}>
          {pointer !== undefined && pointer !== name && [<code key="pointer">{pointer}</code>, ' ']}
          {message}
        </p>
      ))}
    </div>
  )
}

/** The fields of one form: what they hold, and what is called when they are changed. */
export type Form = { readonly values: Values; set(values: Values): void; readonly prefix: string }

type InputProps = Omit<FieldProps, 'children' | 'id'> & {
  readonly form: Form
  /** The pointer or parameter of its errors, where that is not its own. */
  readonly errorsOf?: string
  readonly id?: string
  readonly list?: string
  readonly rows?: number
  readonly numeric?: boolean
  readonly initial?: string
}

/** `embedTheme/primaryColor` has the id `embed-theme-primary-color`. */
const idOf = (name: string) => name.replaceAll('/', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export function Input({
  form,
  name,
  errorsOf = form.prefix + name,
  id = idOf(name),
  list,
  rows,
  numeric,
  initial = '',
  ...field
}: InputProps) {
  const value = form.values[name] ?? initial
  const typed = { value, autocomplete: 'off', spellcheck: false }
  const onInput = (event: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    form.set({ [name]: event.currentTarget.value })
  return (
    <Field id={id} name={errorsOf} {...field}>
      {(aria) =>
        rows ? (
          <textarea rows={rows} {...typed} {...aria} onInput={onInput} />
        ) : (
          <input
            type="text"
            {...typed}
            {...aria}
            onInput={onInput}
            {...(list && { list })}
            {...(numeric && { inputmode: 'numeric' })}
          />
        )
      }
    </Field>
  )
}

export function Check({ form, name, id = idOf(name), ...field }: InputProps) {
  return (
    <Field id={id} name={form.prefix + name} class="check" after {...field}>
      {(aria) => (
        <input
          type="checkbox"
          {...aria}
          checked={form.values[name] === 'true'}
          onInput={(event) => form.set({ [name]: event.currentTarget.checked ? 'true' : '' })}
        />
      )}
    </Field>
  )
}

type Option = readonly [value: string, text: string]

export function Select({
  form,
  name,
  id = idOf(name),
  options,
  ...field
}: InputProps & { options: readonly Option[] }) {
  return (
    <Field id={id} name={form.prefix + name} {...field}>
      {(aria) => (
        <select
          {...aria}
          value={form.values[name] ?? ''}
          onInput={(event) => form.set({ [name]: event.currentTarget.value })}
        >
          {options.map(([value, text]) => (
            <option value={value} key={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

const linesOf = (text = '') => text.split('\n').filter((line) => line !== '')

/** A text area of names, one a line, with buttons that put a line in or take it out again. */
export function Lines({
  offered = [],
  offeredAs,
  ...input
}: InputProps & { offered?: readonly string[]; offeredAs?: string }) {
  const { form, name } = input
  const lines = linesOf(form.values[name])
  const toggled = (each: string) => (lines.includes(each) ? lines.filter((line) => line !== each) : [...lines, each])
  const chips = offered.map((each) => (
    <button
      type="button"
      class="chip"
      key={each}
      aria-pressed={lines.includes(each)}
      onClick={() => form.set({ [name]: toggled(each).join('\n') })}
    >
      {each}
    </button>
  ))
  return (
    <Input
      rows={2}
      extra={
        chips.length > 0 && (
          <fieldset class="suggestions" aria-label={offeredAs}>
            {chips}
          </fieldset>
        )
      }
      {...input}
    />
  )
}

/** A colour as CSS says it, and the browser's own way to pick one. */
export function Colour(input: InputProps) {
  const { form, name, label } = input
  const value = form.values[name] ?? ''
  return (
    <div class="colour">
      <Input {...input} />
      <input
        type="color"
        aria-label={`Pick: ${label}`}
        value={/^#[\da-f]{6}$/i.test(value) ? value : '#000000'}
        onInput={(event) => form.set({ [name]: event.currentTarget.value })}
      />
    </div>
  )
}

export function CopyButton({ text, label }: { text: () => string; label: string }) {
  const [ended, setEnded] = useState('')
  const copy = async () =>
    setEnded(
      await navigator.clipboard.writeText(text()).then(
        () => 'Copied.',
        () => 'The browser did not allow it: select the text and copy it.',
      ),
    )
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>
        {label}
      </button>{' '}
      <span class="hint" role="status">
        {ended}
      </span>
    </>
  )
}
