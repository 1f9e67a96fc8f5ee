import { type Directory, peopleOf, person } from './directory.ts'
import { Button, Errors, Field, Fields } from './fields.tsx'
import { type Form, focusSoon, optionsOf } from './form.ts'
import { type Attribute, attributesIn, fields } from './session-body.ts'
import { Tabs } from './tabs.tsx'

type FormProps = { form: Form; directory: Directory }

/** All that a session can be asked for. What has no field goes into the last one, as JSON. */
export function SessionFields({ form, directory }: FormProps) {
  const { things, owned } = directory
  const tenant = things.embedTenants.find(({ name }) => name === form.values.embedTenantName)
  const offered = { groups: owned?.groups ?? [], tenantGroups: tenant?.groups ?? [] }
  const rows = { name: 'userAttributes' }
  const panels = Object.entries(fields).map(([name, of]) => {
    const hasRows = name === 'Attributes'
    const content = (
      <>
        <div class="grid" children={<Fields form={{ ...form, offered }} of={of} />} />
        {hasRows && <AttributeRows form={form} />}
      </>
    )
    const all: readonly { name: string; errorsOf?: string }[] = hasRows ? [...of, rows] : of
    const isMarked = all.some(({ name, errorsOf = `/${name}` }) => form.errors[errorsOf])
    return { name, content, isMarked }
  })
  return <Tabs id="form" label="Parts of the session" of={panels} />
}

/** One who is picked fills the fields, which stay free. */
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

const kinds = optionsOf('text', 'number', 'true or false', 'list of texts', 'list of numbers')

/** The user attributes, one a row. A value is sent with the type that was chosen for it. */
function AttributeRows({ form }: { form: Form }) {
  const rows = attributesIn(form.values.userAttributes)
  function put(changed: readonly Attribute[], next?: string): void {
    form.set({ userAttributes: changed.length > 0 ? JSON.stringify(changed) : '' })
    if (next) focusSoon(next)
  }
  const add = () =>
    put([...rows, { name: '', kind: 'text', value: '' }], `#attribute-${rows.length}-name`)
  return (
    <fieldset class="field" data-of="/userAttributes" tabIndex={-1}>
      <legend>User attributes</legend>
      <ul class="stack">
        {rows.map((row, index) => {
          const its = {
            ...form,
            values: row,
            ids: `attribute-${index}-`,
            prefix: `/userAttributes/${index}/`,
            set: (changed: object) => put(rows.with(index, { ...row, ...changed })),
          }
          const which = <span class="visually-hidden">of attribute {index + 1}</span>
          return (
            <li class="grid inset" key={String(index)}>
              <Field form={its} name="name" label={['Name ', which]} />
              <Field form={its} name="kind" label={['Type ', which]} as={kinds} />
              <Field form={its} name="value" label={['Value ', which]} />
              <Button
                class="quiet"
                aria-label={`Remove attribute ${index + 1}`}
                onClick={() => put(rows.toSpliced(index, 1), '#add-attribute')}
                children="Remove"
              />
            </li>
          )
        })}
      </ul>
      <Button class="quiet" id="add-attribute" onClick={add} children="Add an attribute" />
      <div class="below" children={<Errors form={form} of="/userAttributes" id="attributes" />} />
    </fieldset>
  )
}
