import type { ComponentChildren } from 'preact'
import { AttributeRows } from './attribute-rows.tsx'
import { type FieldSpec, Fields, type Form, Lines } from './fields.tsx'
import { PersonPicker } from './person.tsx'
import { fields, more } from './session-fields.ts'
import type { Directory } from './use-directory.ts'

/** All that a session can be asked for. What has no field of its own goes into the last one, as JSON. */
export function SessionFields({ form, directory }: { form: Form; directory: Directory }) {
  const tenant = directory.things.embedTenants.find(({ name }) => name === form.values.embedTenantName)
  const plain = (of: readonly FieldSpec[]) => <Fields form={form} of={of} />
  const pair = (of: readonly FieldSpec[]) => <div class="pair">{plain(of)}</div>
  const lines = ([spec]: readonly FieldSpec[], offered: readonly string[] = [], offeredAs: string) =>
    spec && <Lines form={form} {...spec} offered={offered} offeredAs={offeredAs} />
  return (
    <>
      <h3>The end user</h3>
      <PersonPicker form={form} directory={directory} />
      {pair(fields.endUser)}
      <Folded summary="Profile">{pair(fields.profile)}</Folded>
      <h3>Groups and roles</h3>
      {lines(fields.groups, directory.owned?.groups, 'Global groups of the account')}
      {plain(fields.creatorMode)}
      {lines(fields.tenantGroups, tenant?.groups, 'Groups of the embed tenant')}
      {plain(fields.roles)}
      <AttributeRows form={form} />
      {plain(fields.context)}
      <Folded summary="Theme">{pair(fields.theme)}</Folded>
      <Folded summary="Settings">{[plain(fields.switches), pair(fields.locale)]}</Folded>
      <Folded summary="Any other field">{[pair(fields.others), plain([more])]}</Folded>
    </>
  )
}

const Folded = ({ summary, children }: { summary: string; children: ComponentChildren }) => (
  <details>
    <summary>{summary}</summary>
    {children}
  </details>
)
