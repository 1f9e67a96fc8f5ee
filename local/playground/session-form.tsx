import { AttributeRows } from './attribute-rows.tsx'
import { Field, type FieldSpec, Fields, type Form, Lines } from './fields.tsx'
import { PersonPicker } from './person.tsx'
import * as fields from './session-fields.ts'
import type { Directory } from './use-directory.ts'

/** All that a session can be asked for. What has no field of its own goes into the last one, as JSON. */
export function SessionFields({ form, directory }: { form: Form; directory: Directory }) {
  const tenant = directory.things.embedTenants.find(({ name }) => name === form.values.embedTenantName)
  const folded = (summary: string, of: readonly FieldSpec[], last: readonly FieldSpec[] = []) => (
    <details>
      <summary>{summary}</summary>
      <div class={of === fields.switches ? '' : 'pair'}>
        <Fields form={form} of={of} />
      </div>
      <Fields form={form} of={last} />
    </details>
  )
  return (
    <>
      <h3>The end user</h3>
      <PersonPicker form={form} directory={directory} />
      <div class="pair">
        <Fields form={form} of={fields.endUser} />
      </div>
      {folded('Profile', fields.profile)}
      <h3>Groups and roles</h3>
      <Lines
        form={form}
        {...fields.groups}
        offered={directory.owned?.groups ?? []}
        offeredAs="Global groups of the account"
      />
      <Field form={form} {...fields.creatorMode} />
      <Lines
        form={form}
        {...fields.tenantGroups}
        offered={tenant?.groups ?? []}
        offeredAs="Groups of the embed tenant"
      />
      <Field form={form} {...fields.roles} />
      <AttributeRows form={form} />
      <Field form={form} {...fields.securityContext} />
      {folded('Theme', fields.theme)}
      {folded('Settings', fields.switches, fields.locale)}
      {folded('Any other field', fields.others, [fields.more])}
    </>
  )
}
