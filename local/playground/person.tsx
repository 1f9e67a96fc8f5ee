import { Field, type Form } from './fields.tsx'
import type { Directory } from './use-directory.ts'

/** An embed tenant, an external id and an internal id, as the value of an option. */
const person = (...ids: readonly [tenant: string, external?: string, internal?: string]): string =>
  JSON.stringify([ids[0], ids[1] ?? '', ids[2] ?? ''])

/** What picking somebody fills in. */
export function fieldsOf(picked: string) {
  const [embedTenantName, externalId, internalId] = JSON.parse(picked) as [string, string, string]
  return { embedTenantName, externalId, internalId }
}

/** The end users of the catalog, by tenant, and then the account's own. */
export function peopleOf({ account, things }: Directory): (readonly [value: string, text: string])[] {
  return [
    ...things.embedTenants.flatMap(({ name, displayName = name }) => [
      ...things.endUsers
        .filter(({ embedTenantName }) => embedTenantName === name)
        .map(({ externalId }) => [person(name, externalId), `${externalId} of ${displayName}`] as const),
      [person(name), `Anonymous at ${displayName}`] as const,
    ]),
    ...(account?.users ?? []).map(
      ({ email, firstName }) => [person('', '', email), firstName ? `${firstName}, ${email}` : email] as const,
    ),
    [person(''), 'Nobody: an anonymous session'],
  ]
}

/** One who is picked fills the fields, which stay free. */
export function PersonPicker({ form, directory }: { form: Form; directory: Directory }) {
  const { embedTenantName = '', externalId, internalId } = form.values
  const typed = person(embedTenantName, externalId, internalId)
  const people = peopleOf(directory)
  const isOffered = people.some(([value]) => value === typed)
  const picker = { ...form, values: { person: typed }, set: ({ person = typed }) => form.set(fieldsOf(person)) }
  return (
    <Field
      form={picker}
      name="person"
      label="Pick a person"
      hint={`${directory.isLoading ? 'More people are being read. ' : ''}Fills in the fields below. You can change them.`}
      as={isOffered ? people : [[typed, 'As typed below'], ...people]}
    />
  )
}
