import type { ButtonHTMLAttributes, ComponentChildren, TargetedInputEvent } from 'preact'
import { useState } from 'preact/hooks'
import { type FieldSpec, type Form, linesIn, type Options } from './form.ts'

type InputEvent = TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>

type ControlProps = {
  spec: FieldSpec
  offered?: readonly string[] | undefined
  shared: { id: string; value: string; onInput: (event: InputEvent) => void }
  set(text: string): void
}

const Line = ({ spec, shared }: ControlProps) => <input type="text" list={spec.list} {...shared} />

function Lines({ spec, offered = [], shared, set }: ControlProps) {
  const lines = linesIn(shared.value)
  const others = (line: string) => lines.filter((each) => each !== line)
  const toggle = (line: string) =>
    set((lines.includes(line) ? others(line) : [...lines, line]).join('\n'))
  return (
    <>
      <textarea rows={2} {...shared} />
      <Chips label={`${spec.label} to pick`} of={offered} chosen={lines} choose={toggle} />
    </>
  )
}

function Check({ shared, set }: ControlProps) {
  const checked = shared.value === 'true'
  const toggle = () => set(checked ? '' : 'true')
  return <input {...shared} type="checkbox" checked={checked} onInput={toggle} />
}

const Choice = ({ spec, shared }: ControlProps) => (
  <select {...shared}>{(spec.as as Options).map(optionOf)}</select>
)

const optionOf = ([value, text]: Options[number]) =>
  typeof text === 'string' ? (
    <option value={value} key={value} children={text} />
  ) : (
    <optgroup label={value} key={value} children={text.map(optionOf)} />
  )

function controlOf(as: FieldSpec['as']) {
  if (typeof as === 'object') return Choice
  if (as === 'true or false') return Check
  return as === 'attributes' || as === 'json' || as === 'lines' ? Lines : Line
}

export function Field({ form, ...spec }: FieldSpec & { form: Form }) {
  const { name, label, hint, as, errorsOf = form.prefix + name } = spec
  // `embedTheme/primaryColor` has the id `embed-theme-primary-color`.
  const dashed = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const id = form.ids + dashed.replaceAll('/', '-')
  const set = (text: string) => form.set({ [name]: text })
  const shared = {
    id,
    value: form.values[name] ?? '',
    autocomplete: 'off' as const,
    spellcheck: false,
    onInput: ({ currentTarget }: InputEvent) => set(currentTarget.value),
    'aria-invalid': form.errors[errorsOf] && true,
    'aria-describedby': `${id}-hint ${id}-errors`,
  }
  const Control = controlOf(as)
  const control = (
    <Control key="control" spec={spec} shared={shared} offered={form.offered?.[name]} set={set} />
  )
  const isCheck = Control === Check
  return (
    <div class={`field ${spec.class ?? ''}`} data-of={errorsOf}>
      <label for={id}>
        {isCheck && control}
        {label}
      </label>
      {!isCheck && control}
      <div class="below">
        <p class="hint" id={`${id}-hint`} children={hint} />
        <Errors form={form} of={errorsOf} id={id} />
      </div>
    </div>
  )
}

export const Errors = ({ form, of, id }: { form: Form; of: string; id: string }) => (
  <div class="errors" id={`${id}-errors`}>
    {form.errors[of]?.map(({ pointer = of, message }) => (
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

export const Chips = ({ label, of, chosen, choose }: ChipsProps) =>
  of.length > 0 && (
    <fieldset class="chips" aria-label={label}>
      {of.map((each) => (
        <Button key={each} aria-pressed={chosen.includes(each)} onClick={() => choose(each)}>
          {each}
        </Button>
      ))}
    </fieldset>
  )

type FoldedProps = { summary: string; children: ComponentChildren }

/** What may have megabytes is made only as it opens. */
export function Folded({ summary, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  )
}
