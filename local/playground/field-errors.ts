import type { InputError } from './api.ts'
import { element } from './dom.ts'

/** Where an error belongs: the field of its parameter, or the one whose pointer is the longest that holds its own. */
function fieldOf(error: InputError, fields: readonly HTMLElement[]): HTMLElement | undefined {
  const { pointer, parameter } = error
  if (parameter !== undefined) return fields.find((field) => field.dataset.parameter === parameter)
  if (pointer === undefined) return undefined
  const holding = fields.filter(({ dataset }) => {
    const own = dataset.pointer
    return own !== undefined && (pointer === own || pointer.startsWith(`${own}/`))
  })
  return holding.sort((a, b) => (b.dataset.pointer as string).length - (a.dataset.pointer as string).length)[0]
}

export function clearErrors(forms: readonly HTMLElement[]): void {
  for (const form of forms) {
    for (const message of form.querySelectorAll('.error')) {
      for (const field of form.querySelectorAll(`[aria-describedby~="${message.id}"]`)) forget(field, message.id)
      message.remove()
    }
  }
}

/** Shows each error at its field and brings the first into focus. Those that belong to no field are given back. */
export function showErrors(forms: readonly HTMLElement[], errors: readonly InputError[]): InputError[] {
  clearErrors(forms)
  const fields = forms.flatMap((form) => [...form.querySelectorAll<HTMLElement>('[data-pointer], [data-parameter]')])
  const erroneous: HTMLElement[] = []
  const others = errors.filter((error) => {
    const field = fieldOf(error, fields)
    if (field === undefined) return true
    attach(field, error)
    erroneous.push(field)
    return false
  })
  fields.find((field) => erroneous.includes(field))?.focus()
  return others
}

let count = 0

function attach(field: HTMLElement, { pointer, message }: InputError): void {
  const id = `error-${++count}`
  const inner = pointer !== undefined && pointer !== field.dataset.pointer ? pointer : undefined
  const text = element('p', { class: 'error', id }, inner && element('code', {}, inner), inner && ' ', message)
  field.closest('.field')?.append(text)
  field.setAttribute('aria-invalid', 'true')
  field.setAttribute('aria-describedby', [...describing(field), id].join(' '))
  const hidden = field.closest('details')
  if (hidden) hidden.open = true
}

function forget(field: Element, id: string): void {
  field.removeAttribute('aria-invalid')
  const rest = describing(field).filter((each) => each !== id)
  if (rest.length > 0) field.setAttribute('aria-describedby', rest.join(' '))
  else field.removeAttribute('aria-describedby')
}

const describing = (field: Element): string[] =>
  (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
