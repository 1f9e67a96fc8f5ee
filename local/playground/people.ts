import type { Caller } from './caller.ts'
import { byId, element } from './dom.ts'

type Person = { readonly embedTenantName: string; readonly externalId: string; readonly internalId: string }

const nobody: Person = { embedTenantName: '', externalId: '', internalId: '' }

/** The end users of the demo and the groups they could have: they fill the fields, which stay free. */
export function offerPeople(caller: Caller, changed: () => void): void {
  const select = byId('person', HTMLSelectElement)
  const embedTenant = byId('embed-tenant', HTMLInputElement)
  const externalId = byId('external-id', HTMLInputElement)
  const internalId = byId('internal-id', HTMLInputElement)
  let people: Person[] = []

  function offer(): void {
    const { embedTenants = [], users = [] } = caller.account() ?? {}
    people = [nobody]
    const option = (person: Person, label: string) => {
      people.push(person)
      return element('option', { value: people.length - 1 }, label)
    }
    select.replaceChildren(
      ...embedTenants.map(({ name, displayName, externalIds }) =>
        element(
          'optgroup',
          { label: `Of the embed tenant ${displayName ?? name}` },
          ...externalIds.map((externalId) => option({ ...nobody, embedTenantName: name, externalId }, externalId)),
          option({ ...nobody, embedTenantName: name }, `anonymous at ${name}`),
        ),
      ),
      element(
        'optgroup',
        { label: 'Internal users of the account' },
        ...users.map(({ email }) => option({ ...nobody, internalId: email }, email)),
      ),
      element('option', { value: 0 }, 'Nobody: an anonymous session'),
    )
    fill()
  }

  function fill(): void {
    const person = people[Number(select.value)] ?? nobody
    embedTenant.value = person.embedTenantName
    externalId.value = person.externalId
    internalId.value = person.internalId
    offerGroups()
  }

  function offerGroups(): void {
    const { groups = [], embedTenants = [] } = caller.account() ?? {}
    suggestLines('groups', groups, changed)
    const tenant = embedTenants.find(({ name }) => name === embedTenant.value)
    suggestLines('tenant-groups', tenant?.groups ?? [], changed)
  }

  let account = caller.account()
  offer()
  select.addEventListener('input', fill)
  embedTenant.addEventListener('input', offerGroups)
  caller.onChange(() => {
    if (account === caller.account()) return
    account = caller.account()
    offer()
    changed()
  })
}

/** Buttons that put a line into a text area, or take it out again. */
function suggestLines(fieldId: string, names: readonly string[], changed: () => void): void {
  const field = byId(fieldId, HTMLTextAreaElement)
  const lines = () => field.value.split('\n').filter((line) => line !== '')
  const buttons = names.map((name) => {
    const button = element('button', { type: 'button', class: 'chip' }, name)
    const show = () => button.setAttribute('aria-pressed', String(lines().includes(name)))
    button.addEventListener('click', () => {
      const others = lines().filter((line) => line !== name)
      field.value = (others.length === lines().length ? [...others, name] : others).join('\n')
      show()
      changed()
    })
    show()
    return { button, show }
  })
  // One listener for as long as these buttons are the ones that are offered.
  field.oninput = () => {
    for (const { show } of buttons) show()
  }
  byId(`${fieldId}-suggestions`, HTMLElement).replaceChildren(...buttons.map(({ button }) => button))
}
