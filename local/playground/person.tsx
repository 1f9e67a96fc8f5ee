import { Field, type Form, type Options } from './fields.tsx'
import type { Directory } from './use-directory.ts'

/** An embed tenant, an external id and an internal id, as the value of an option. */
const person = (embedTenantName: string, externalId = '', internalId = ''): string =>
  JSON.stringify({ embedTenantName, externalId, internalId })

/** The end users of the catalog, by tenant, and then the account's own. */
function peopleOf({ account, things }: Directory): Options {
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

/** What the first of them fills in. */
export const firstPersonOf = (directory: Directory) => JSON.parse(peopleOf(directory)[0]?.[0] ?? '{}')

/** One who is picked fills the fields, which stay free. */
export function PersonPicker({ form, directory }: { form: Form; directory: Directory }) {
  const { embedTenantName = '', externalId, internalId } = form.values
  const typed = person(embedTenantName, externalId, internalId)
  const people = peopleOf(directory)
  const isOffered = people.some(([value]) => value === typed)
  return (
    <Field
      form={{ ...form, values: { person: typed }, set: ({ person = typed }) => form.set(JSON.parse(person)) }}
      name="person"
      label="Pick a person"
      hint={`${directory.isLoading ? 'More people are being read. ' : ''}Fills in the fields below. You can change them.`}
      as={isOffered ? people : [[typed, 'As typed below'], ...people]}
    />
  )
}
