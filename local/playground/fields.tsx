import { type ButtonHTMLAttributes, type ComponentChildren, createContext, type TargetedInputEvent } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { InputError } from './api.ts'
import type { Values } from './link.ts'

/** What the fields of a form hold, and what their errors and ids begin with. */
export type Form = {
  readonly values: Values
  readonly ids: string
  /** `/` for the pointers of a body, nothing for parameters. */
  readonly prefix: string
  set(values: Values): void
}

export type Options = readonly (readonly [value: string, text: string])[]

export type FieldSpec = {
  readonly name: string
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  /** How it looks. By default it is a line of text. */
  readonly as?: 'lines' | 'area' | 'check' | 'colour' | Options
  /** The id of its suggestions. */
  readonly list?: string
  readonly id?: string
  readonly class?: string
  /** The pointer or parameter of its errors, where that is not its own. */
  readonly errorsOf?: string
  readonly initial?: string
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** `embedTheme/primaryColor` has the id `embed-theme-primary-color`. */
const idOf = (name: string) => name.replaceAll('/', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A control with its label, its hint, what stands beside it, and the errors that belong to it. */
export function Field({ form, children, ...spec }: FieldSpec & { form: Form; children?: ComponentChildren }) {
  const { name, label, hint, as, list, class: look = '', errorsOf = form.prefix + name } = spec
  const id = spec.id ?? form.ids + idOf(name)
  const errors = useContext(ErrorsContext)[errorsOf] ?? []
  const set = (value: string) => form.set({ [name]: value })
  const value = form.values[name] ?? spec.initial ?? ''
  const shared = {
    id,
    value,
    onInput: ({ currentTarget }: TargetedInputEvent<Control>) => set(currentTarget.value),
    'aria-invalid': errors.length > 0 || undefined,
    'aria-describedby':
      [hint && `${id}-hint`, errors.length > 0 && `${id}-errors`].filter(Boolean).join(' ') || undefined,
  }
  const typed = { ...shared, autocomplete: 'off', spellcheck: false }
  const isOn = value === 'true'
  const controls = {
    check: () => <input {...shared} type="checkbox" checked={isOn} onInput={() => set(isOn ? '' : 'true')} />,
    lines: () => <textarea rows={2} {...typed} />,
    area: () => <textarea rows={3} {...typed} />,
    colour: () => [<input key={id} {...typed} />, <ColourPicker key="" {...{ value, set, label }} />],
    line: () => <input type="text" list={list} {...typed} />,
  }
  const isCheck = as === 'check'
  return (
    <div class={`field ${isCheck ? 'check' : ''} ${look}`} data-of={errorsOf}>
      {isCheck && controls.check()}
      <label for={id}>{label}</label>
      {typeof as === 'object' ? <select {...shared}>{as.map(optionOf)}</select> : !isCheck && controls[as ?? 'line']()}
      {hint && <p class="hint" id={`${id}-hint`} children={hint} />}
      {children}
      <Errors of={errorsOf} id={id} />
    </div>
  )
}

const optionOf = ([value, text]: Options[number]) => <option value={value} key={value} children={text} />

type PickerProps = { value: string; set(value: string): void; label: ComponentChildren }

/** The browser's own way to pick a colour, beside the field, which takes any that CSS knows. */
const ColourPicker = ({ value, set, label }: PickerProps) => (
  <input
    type="color"
    aria-label={`Pick: ${label}`}
    value={/^#[\da-f]{6}$/i.test(value) ? value : '#000000'}
    onInput={(event) => set(event.currentTarget.value)}
  />
)

/** The errors of a field, or of a group of them. */
export function Errors({ of, id }: { of: string; id: string }) {
  const errors = useContext(ErrorsContext)[of]
  if (!errors) return null
  return (
    <div class="errors" id={`${id}-errors`}>
      {errors.map(({ pointer, message }) => (
        <p class="error" key={`${pointer} ${message}`}>
          {pointer !== undefined && pointer !== of && <code>{pointer}</code>} {message}
        </p>
      ))}
    </div>
  )
}

export const Fields = ({ form, of }: { form: Form; of: readonly FieldSpec[] }) =>
  of.map((spec) => <Field form={form} {...spec} key={spec.name} />)

export const Button = (props: ButtonHTMLAttributes) => <button type="button" {...props} />

type ChipsProps = { label: string; of: readonly string[]; chosen: readonly string[]; choose: (name: string) => void }

/** Buttons that are pressed or not. */
export const Chips = ({ label, of, chosen, choose }: ChipsProps) => (
  <fieldset class="chips" aria-label={label} hidden={of.length === 0}>
    {of.map((each) => (
      <Button key={each} aria-pressed={chosen.includes(each)} onClick={() => choose(each)} children={each} />
    ))}
  </fieldset>
)

type LinesProps = FieldSpec & { form: Form; offered: readonly string[]; offeredAs: string }

/** A text area of names, one a line, with chips that put a line in or take it out again. */
export function Lines({ offered, offeredAs, ...spec }: LinesProps) {
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
      <Button class="quiet" onClick={copy} children={label} /> <span class="hint" role="status" children={ended} />
    </>
  )
}

/** Fills a form in once for each account; for the first one only where nobody has done so. */
export function useFilledFor(account: string | undefined, isFilled: boolean, fill: () => void): void {
  const before = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (account === undefined || before.current === account) return
    if (before.current !== undefined || !isFilled) fill()
    before.current = account
  }, [account])
}

/** The errors of the last answer, by the pointer or parameter of the field that each belongs to. */
export type FieldErrors = Readonly<Record<string, readonly InputError[] | undefined>>
export const ErrorsContext = createContext<FieldErrors>({})

/** An error belongs to the field of its parameter, or to the one whose pointer is the longest that its own begins with. */
export function byField(errors: readonly InputError[]): FieldErrors {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-of]')].map(({ dataset }) => dataset.of ?? '')
  const longestFirst = fields.sort((a, b) => b.length - a.length)
  return Object.groupBy(errors, ({ pointer, parameter }) => {
    // The deployment is a field of the body, or a part of the path. It has one field.
    const at = parameter === 'deploymentId' ? '/deploymentId' : (parameter ?? pointer)
    return longestFirst.find((field) => `${at}/`.startsWith(`${field}/`)) ?? 'elsewhere'
  })
}

/** Brings the first field that has an error into focus, once it is marked. */
export const focusFirstError = () =>
  setTimeout(() => {
    const invalid = document.querySelectorAll<HTMLElement>(
      '#caller [aria-invalid], section:not([hidden]) [aria-invalid]',
    )
    for (const each of invalid) each.closest('details')?.setAttribute('open', '')
    invalid[0]?.focus()
  })
