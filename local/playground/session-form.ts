import type { InputError } from './api.ts'
import { createAttributeRows } from './attribute-rows.ts'
import type { Caller } from './caller.ts'
import { byId, element } from './dom.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { offerPeople } from './people.ts'

/** The body of a session request as the form has it, and what in the form can't be sent at all. */
export type FormContent = { readonly body: JsonObject; readonly errors: readonly InputError[] }

export type SessionForm = {
  readonly form: HTMLFormElement
  content(): FormContent
  onInput(listener: () => void): void
}

const switches = [
  'allowAi',
  'allowChatWorkspaceAuthoring',
  'showAiWidgets',
  'showDashboardChat',
  'showDashboardSettings',
  'showGroupByModel',
  'showMemberNames',
  'showWorkbookChat',
  'showWorkbookShare',
]

export function createSessionForm(caller: Caller): SessionForm {
  const form = byId('session-form', HTMLFormElement)
  const listeners: (() => void)[] = []
  const changed = () => {
    for (const listener of listeners) listener()
  }
  byId('switches', HTMLElement).append(...switches.map(switchField))
  const attributes = createAttributeRows(changed)
  offerPeople(caller, changed)
  form.addEventListener('input', changed)

  return {
    form,
    onInput: (listener) => listeners.push(listener),
    content: () => {
      const fields = [caller.form, form].flatMap((each) => [
        ...each.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
          '[data-kind], [data-pointer]',
        ),
      ])
      const body: JsonObject = {}
      const errors: InputError[] = []
      for (const field of fields) {
        const pointer = field.dataset.pointer
        if (pointer === undefined || pointer === '' || field.closest('.rows') !== null) continue
        try {
          put(body, pointer, contentOf(field))
        } catch (error) {
          errors.push({ pointer, message: (error as Error).message })
        }
      }
      put(body, '/userAttributes', attributes.value())
      try {
        return { body: { ...body, ...objectIn(byId('more', HTMLTextAreaElement).value) }, errors }
      } catch (error) {
        return { body, errors: [...errors, { pointer: '', message: (error as Error).message }] }
      }
    },
  }
}

/** A setting that is on, off, or left alone, which is not the same as off. */
function switchField(name: string): HTMLElement {
  const id = `setting-${name}`
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, element('code', {}, name)),
    element(
      'select',
      { id, 'data-pointer': `/settings/${name}`, 'data-kind': 'choice' },
      element('option', { value: '' }, 'as it is'),
      element('option', { value: 'true' }, 'on'),
      element('option', { value: 'false' }, 'off'),
    ),
  )
}

/** What a field says, if it says anything. What is no number or list stays text: the service has to refuse it. */
function contentOf(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): Json | undefined {
  const text = field.value
  switch (field.dataset.kind) {
    case 'flag':
      return (field as HTMLInputElement).checked || undefined
    case 'choice':
      return text === '' ? undefined : text === 'true'
    case 'integer':
      return text.trim() === '' ? undefined : /^\d+$/.test(text.trim()) ? Number(text) : text
    case 'lines': {
      const lines = text.split('\n').filter((line) => line !== '')
      return lines.length === 0 ? undefined : lines
    }
    case 'json':
      return text.trim() === '' ? undefined : parsed(text)
    default:
      return text === '' ? undefined : text
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`is not JSON: ${(error as Error).message}`)
  }
}

function objectIn(text: string): JsonObject {
  const value = text.trim() === '' ? {} : parsed(text)
  if (!isObject(value)) throw new Error('must be a JSON object')
  return value
}

/** Puts a value at a pointer of one or two names. */
function put(body: JsonObject, pointer: string, value: Json | undefined): void {
  if (value === undefined) return
  const [, first = '', second] = pointer.split('/')
  if (second === undefined) {
    body[first] = value
    return
  }
  const inner = body[first]
  body[first] = { ...(isObject(inner) ? inner : {}), [second]: value }
}
