import type { Form } from './fields.tsx'
import type { Directory } from './use-directory.ts'

type Person = { readonly embedTenantName: string; readonly externalId: string; readonly internalId: string }

const nobody: Person = { embedTenantName: '', externalId: '', internalId: '' }
const asValue = ({ embedTenantName, externalId, internalId }: Person) =>
  JSON.stringify([embedTenantName, externalId, internalId])

/** Whom the form begins with: the first end user of the first tenant. */
export function firstPerson({ things: { embedTenants, endUsers } }: Directory): Person {
  const embedTenantName = embedTenants[0]?.name ?? ''
  const externalId = endUsers.find((each) => each.embedTenantName === embedTenantName)?.externalId ?? ''
  return { ...nobody, embedTenantName, externalId }
}

/** The end users of the catalog. One that is picked fills the fields, which stay free. */
export function PersonPicker({ form, directory }: { form: Form; directory: Directory }) {
  const { account, things, isLoading } = directory
  const { embedTenantName = '', externalId = '', internalId = '' } = form.values
  const typed = asValue({ embedTenantName, externalId, internalId })
  const option = (person: Person, text: string) => (
    <option value={asValue(person)} key={asValue(person)}>
      {text}
    </option>
  )
  const offered = new Set<string>()
  const offer = (person: Person, text: string) => {
    offered.add(asValue(person))
    return option(person, text)
  }
  const groups = [
    ...things.embedTenants.map(({ name, displayName }) => (
      <optgroup label={`Of the embed tenant ${displayName ?? name}`} key={name}>
        {things.endUsers
          .filter((each) => each.embedTenantName === name)
          .map(({ externalId }) => offer({ ...nobody, embedTenantName: name, externalId }, externalId))}
        {offer({ ...nobody, embedTenantName: name }, `anonymous at ${name}`)}
      </optgroup>
    )),
    <optgroup label="Internal users of the account" key="internal users">
      {account?.users.map(({ email, firstName }) =>
        offer({ ...nobody, internalId: email }, firstName ? `${firstName}, ${email}` : email),
      )}
    </optgroup>,
    offer(nobody, 'Nobody: an anonymous session'),
  ]
  return (
    <div class="field">
      <label for="person">Pick a person</label>
      <select
        id="person"
        aria-describedby="person-hint"
        value={typed}
        onInput={(event) => {
          const [embedTenantName, externalId, internalId] = JSON.parse(event.currentTarget.value)
          form.set({ embedTenantName, externalId, internalId })
        }}
      >
        {!offered.has(typed) && <option value={typed}>As typed below</option>}
        {groups}
      </select>
      <p class="hint" id="person-hint">
        {isLoading ? 'More people are being read. ' : ''}Fills in the fields below. You can change them.
      </p>
    </div>
  )
}
