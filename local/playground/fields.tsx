import { type ComponentChildren, createContext, type TargetedInputEvent } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { InputError } from './api.ts'
import type { Values } from './link.ts'

/** What the fields of a form hold, and where its errors and ids begin. */
export type Form = {
  readonly values: Values
  readonly ids: string
  /** `/` for the pointers of a body, nothing for parameters. */
  readonly prefix: string
  set(values: Values): void
}

export type FieldSpec = {
  readonly name: string
  readonly label?: ComponentChildren
  readonly hint?: ComponentChildren
  /** How it looks. By default it is a line of text. */
  readonly as?: 'lines' | 'area' | 'check' | 'colour' | readonly (readonly [value: string, text: string])[]
  /** The id of its suggestions. */
  readonly list?: string
  readonly id?: string
  readonly class?: string
  /** The pointer or parameter of its errors, where that is not its own. */
  readonly errorsOf?: string
  readonly initial?: string
}

type Controls = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** `embedTheme/primaryColor` has the id `embed-theme-primary-color`. */
const idOf = (name: string) => name.replaceAll('/', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A control with its label, its hint, what stands beside it, and the errors that belong to it. */
export function Field({ form, children, ...spec }: FieldSpec & { form: Form; children?: ComponentChildren }) {
  const { name, label, hint, as, list, class: look = '', errorsOf = form.prefix + name, initial = '' } = spec
  const id = spec.id ?? form.ids + idOf(name)
  const errors = useContext(ErrorsContext).get(errorsOf) ?? []
  const describing = [...(hint ? [`${id}-hint`] : []), ...errors.map((_, index) => `${id}-error-${index}`)].join(' ')
  const set = (value: string) => form.set({ [name]: value })
  const shared = {
    id,
    value: form.values[name] ?? initial,
    onInput: ({ currentTarget }: TargetedInputEvent<Controls>) => set(currentTarget.value),
    ...(errors.length > 0 && { 'aria-invalid': 'true' as const }),
    ...(describing !== '' && { 'aria-describedby': describing }),
  }
  const typed = { ...shared, autocomplete: 'off', spellcheck: false }
  const isChecked = shared.value === 'true'
  const control =
    as === 'check' ? (
      <input {...shared} type="checkbox" checked={isChecked} onInput={() => set(isChecked ? '' : 'true')} />
    ) : as === 'lines' || as === 'area' ? (
      <textarea rows={as === 'lines' ? 2 : 3} {...typed} />
    ) : Array.isArray(as) ? (
      <select {...shared}>{as.map(optionOf)}</select>
    ) : (
      <input type="text" {...typed} {...(list && { list })} />
    )
  return (
    <div class={`field ${as === 'check' ? 'check' : ''} ${look}`}>
      {as === 'check' && control}
      {label && <label for={id}>{label}</label>}
      {as !== 'check' && control}
      {as === 'colour' && <ColourPicker value={shared.value} set={set} label={`Pick: ${label}`} />}
      {hint && <p class="hint" id={`${id}-hint`} children={hint} />}
      {children}
      <Errors of={errorsOf} id={id} />
    </div>
  )
}

/** The errors of a field, or of a group of them. */
export function Errors({ of, id }: { of: string; id: string }) {
  return useContext(ErrorsContext)
    .get(of)
    ?.map(({ pointer, message }, index) => (
      <p class="error" id={`${id}-error-${index}`} key={`${pointer} ${message}`}>
        {pointer !== undefined && pointer !== of && <code>{pointer}</code>} {message}
      </p>
    ))
}

export const Fields = ({ form, of }: { form: Form; of: readonly FieldSpec[] }) =>
  of.map((spec) => <Field form={form} {...spec} key={spec.name} />)

const optionOf = ([value, text]: readonly [string, string]) => <option value={value} key={value} children={text} />

/** The browser's own way to pick a colour, beside the field, which takes any that CSS knows. */
const ColourPicker = ({ value, set, label }: { value: string; set: (value: string) => void; label: string }) => (
  <input
    type="color"
    aria-label={label}
    value={/^#[\da-f]{6}$/i.test(value) ? value : '#000000'}
    onInput={(event) => set(event.currentTarget.value)}
  />
)

type ChipsProps = { label: string; of: readonly string[]; chosen: readonly string[]; choose: (name: string) => void }

/** Buttons that are pressed or not. */
export const Chips = ({ label, of, chosen, choose }: ChipsProps) => (
  <fieldset class="chips" aria-label={label} hidden={of.length === 0}>
    {of.map((each) => (
      <button
        type="button"
        key={each}
        aria-pressed={chosen.includes(each)}
        onClick={() => choose(each)}
        children={each}
      />
    ))}
  </fieldset>
)

/** A text area of names, one a line, with chips that put a line in or take it out again. */
export function Lines({
  offered,
  offeredAs,
  ...spec
}: FieldSpec & { form: Form; offered: readonly string[]; offeredAs: string }) {
  const lines = linesIn(spec.form.values[spec.name])
  const toggle = (name: string) => {
    const others = lines.filter((line) => line !== name)
    spec.form.set({ [spec.name]: (others.length === lines.length ? [...lines, name] : others).join('\n') })
  }
  return (
    <Field as="lines" {...spec}>
      <Chips label={offeredAs} of={offered} chosen={lines} choose={toggle} />
    </Field>
  )
}

export const linesIn = (text = ''): string[] => text.split('\n').filter((line) => line !== '')

export function CopyButton({ text, label }: { text: () => string; label: string }) {
  const [ended, setEnded] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setEnded('Copied.'),
      () => setEnded('The browser did not allow it: select the text and copy it.'),
    )
  return (
    <>
      <button type="button" class="quiet" onClick={copy} children={label} />{' '}
      <span class="hint" role="status" children={ended} />
    </>
  )
}

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
  const { undefined: elsewhere = [], ...placed } = Object.groupBy(errors, (error) => nameOf(error) ?? 'undefined')
  return { placed: new Map(Object.entries(placed)) as FieldErrors, elsewhere }
}

/** Brings the first field that has an error into focus, once it is marked. */
export const focusFirstError = () =>
  setTimeout(() => {
    const invalid = [...document.querySelectorAll<HTMLElement>('[aria-invalid]')].filter(
      (each) => !each.closest('section[hidden]'),
    )
    for (const each of invalid) each.closest('details')?.setAttribute('open', '')
    invalid[0]?.focus()
  })
