import { type Directory, peopleOf, person } from './directory.ts'
import { Field, Fields } from './fields.tsx'
import type { Form } from './form.ts'
import { fields } from './session-body.ts'
import { Tabs } from './tabs.tsx'

type FormProps = { form: Form; directory: Directory }

/** All that a session can be asked for. What has no field goes into the last one, as JSON. */
export function SessionFields({ form, directory }: FormProps) {
  const { things, owned } = directory
  const tenant = things.embedTenants.find(({ name }) => name === form.values.embedTenantName)
  const offered = { groups: owned?.groups ?? [], tenantGroups: tenant?.groups ?? [] }
  const panels = Object.entries(fields).map(([name, of]) => ({
    name,
    content: <div class="grid" children={<Fields form={{ ...form, offered }} of={of} />} />,
    isMarked: of.some(({ name, errorsOf = `/${name}` }) => form.errors[errorsOf]),
  }))
  return <Tabs id="form" label="Parts of the session" of={panels} />
}

export function PersonPicker({ form, directory }: FormProps) {
  const { embedTenantName, externalId, internalId } = form.values
  const typed = person(embedTenantName, externalId, internalId)
  const people = peopleOf(directory)
  const isOffered = people.some(([value]) => value === typed)
  const reading = directory.isLoading ? 'More people are being read. ' : ''
  const set = ({ person = typed }) => form.set(JSON.parse(person))
  return (
    <Field
      form={{ ...form, values: { person: typed }, set }}
      name="person"
      label="Pick a person"
      hint={`${reading}Fills in the form below, which you can change.`}
      as={isOffered ? people : [[typed, 'As typed below'], ...people]}
    />
  )
}
