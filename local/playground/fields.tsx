import type { ButtonHTMLAttributes, ComponentChildren, TargetedInputEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { InputError } from './api.ts'
import type { Values } from './page.ts'
import type { Content } from './session-body.ts'

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

export type FieldSpec = {
  readonly name: string
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  /** How it looks, and how a body has it. By default it is a line of text. */
  readonly as?: Content | Options
  /** The id of its suggestions. */
  readonly list?: string
  readonly class?: string
  /** The pointer or parameter of its errors, where that is not its own. */
  readonly errorsOf?: string
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type FieldProps = FieldSpec & { form: Form }

/** A control with its label, its hint and the errors that belong to it. */
export function Field({ form, ...spec }: FieldProps) {
  const offered = form.offered?.[spec.name]
  const { name, label, hint, as, errorsOf = form.prefix + name } = spec
  // `embedTheme/primaryColor` has the id `embed-theme-primary-color`.
  const id =
    form.ids +
    name.replaceAll('/', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const hasErrors = form.errors[errorsOf] !== undefined
  const value = form.values[name] ?? ''
  const set = (text: string) => form.set({ [name]: text })
  const shared = {
    id,
    value,
    autocomplete: 'off',
    spellcheck: false,
    onInput: (event: TargetedInputEvent<Control>) => set(event.currentTarget.value),
    'aria-invalid': hasErrors || undefined,
    'aria-describedby':
      [hint && `${id}-hint`, hasErrors && `${id}-errors`].filter(Boolean).join(' ') || undefined,
  }
  const isCheck = as === 'true or false'
  const check = () => set(value === 'true' ? '' : 'true')
  const picked = /^#[\da-f]{6}$/i.test(value) ? value : '#000000'
  const lines = linesIn(value)
  const others = (line: string) => lines.filter((each) => each !== line)
  const toggle = (line: string) =>
    set((lines.includes(line) ? others(line) : [...lines, line]).join('\n'))
  return (
    <div class={`field ${spec.class ?? ''}`} data-of={errorsOf}>
      <label for={id}>
        {isCheck && (
          <input {...shared} type="checkbox" checked={value === 'true'} onInput={check} />
        )}
        {label}
      </label>
      {typeof as === 'object' ? (
        <select {...shared}>{as.map(optionOf)}</select>
      ) : as === 'lines' || as === 'json' ? (
        <textarea rows={as === 'lines' ? 2 : 3} {...shared} />
      ) : (
        !isCheck && <input type="text" list={spec.list} {...shared} />
      )}
      {/* The browser's own way to pick one, beside the field, which takes any that CSS knows. */}
      {as === 'colour' && (
        <input type="color" aria-label={`Pick: ${label}`} value={picked} onInput={shared.onInput} />
      )}
      {hint && <p class="hint" id={`${id}-hint`} children={hint} />}
      {offered && <Chips label={`${label} to pick`} of={offered} chosen={lines} choose={toggle} />}
      <Errors form={form} of={errorsOf} id={id} />
    </div>
  )
}

export const optionsOf = (...values: string[]): Options => values.map((value) => [value, value])

const optionOf = ([value, text]: Options[number]) =>
  typeof text === 'string' ? (
    <option value={value} key={value} children={text} />
  ) : (
    <optgroup label={value} key={value} children={text.map(optionOf)} />
  )

export const Errors = ({ form, of, id }: { form: Form; of: string; id: string }) =>
  form.errors[of] && (
    <div class="errors" id={`${id}-errors`}>
      {form.errors[of].map(({ pointer = of, message }) => (
        <p class="error" key={`${pointer} ${message}`}>
          {pointer !== of && <code>{pointer}</code>} {message}
        </p>
      ))}
    </div>
  )

export const Fields = ({ form, of }: { form: Form; of: readonly FieldSpec[] }) =>
  of.map((spec) => <Field form={form} {...spec} key={spec.name} />)

export const Button = (props: ButtonHTMLAttributes) => <button type="button" {...props} />

type ChipsProps = {
  label: string
  of: readonly string[]
  chosen: readonly string[]
  choose(name: string): void
}

export const Chips = ({ label, of, chosen, choose }: ChipsProps) => (
  <fieldset class="chips" aria-label={label} hidden={of.length === 0}>
    {of.map((each) => (
      <Button
        key={each}
        aria-pressed={chosen.includes(each)}
        onClick={() => choose(each)}
        children={each}
      />
    ))}
  </fieldset>
)

export const linesIn = (text: string): string[] => text.split('\n').filter((line) => line !== '')

export const Folded = ({ summary, children }: { summary: string; children: ComponentChildren }) => (
  <details>
    <summary>{summary}</summary>
    {children}
  </details>
)

export function CopyButton({ text, label }: { text: () => string; label: string }) {
  const [ended, setEnded] = useState('')
  const refused = 'The browser did not allow it: select the text and copy it.'
  const copied = (ending: string) => () => setEnded(ending)
  const copy = () => navigator.clipboard.writeText(text()).then(copied('Copied.'), copied(refused))
  return (
    <>
      <Button class="quiet" onClick={copy} children={label} />{' '}
      <span class="hint" role="status" children={ended} />
    </>
  )
}

/** Fills a form in once for each account; for the first one only where nobody has done so. */
export function useFilledFor(
  account: string | undefined,
  isFilled: boolean,
  fill: () => void,
): void {
  const before = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (account === undefined || before.current === account) return
    if (before.current !== undefined || !isFilled) fill()
    before.current = account
  }, [account])
}

/**
 * The latest thing that was asked for, with whether it is still on its way. What was there before
 * stays meanwhile.
 */
export function useLatest<T>() {
  const [{ value, asked }, set] = useState<{ value?: T; asked?: object }>({})
  async function ask(promise: Promise<T> | T): Promise<void> {
    const own = {}
    set((before) => ({ ...before, asked: own }))
    const value = await promise
    set((before) => (before.asked === own ? { value } : before))
  }
  return [value, ask, asked !== undefined] as const
}

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
    for (const each of found) each.closest('details')?.setAttribute('open', '')
    found[0]?.focus()
  })
