import type { Schemas } from './api.ts'
import type { TabProps } from './app.tsx'
import { Explain } from './explain.tsx'
import { Errors, Field, useFilledFor } from './fields.tsx'
import { Listing, RecordTable } from './listing.tsx'
import { Breakable, Moment } from './words.tsx'

const sources = { 'All of them': '', Tenant: 'tenant', 'All embed users': 'allEmbedUsers', Folder: 'folder' }

export function WorkbooksTab(props: TabProps) {
  const { form, settle } = props
  const { account, isLoading, things } = props.directory
  const { tenant = '', accessSource = '' } = form.values
  const [first] = things.embedTenants
  useFilledFor(first && account?.id, tenant !== '', () => {
    form.set({ tenant: first?.name ?? '' })
    settle()
  })
  const filters = (
    <>
      <Field form={form} name="tenant" errorsOf="embedTenantName" label="Embed tenant" list="embed-tenants" />
      <fieldset class="field choice" data-of="accessSource" tabIndex={-1}>
        <legend>Access source</legend>
        {Object.entries(sources).map(([text, source]) => (
          <label key={source}>
            <input
              type="radio"
              name="source"
              checked={source === accessSource}
              onInput={() => form.set({ accessSource: source })}
            />
            <span>{text}</span>
          </label>
        ))}
        <Errors of="accessSource" id="access-source" />
      </fieldset>
    </>
  )
  return (
    <>
      <Listing<Schemas['Workbook']>
        {...props}
        noun="workbook"
        empty="No workbook is shared with this embed tenant in this way. Try another access source."
        missing={tenant.trim() === '' ? 'Type an embed tenant.' : undefined}
        isWaiting={tenant === '' && (isLoading || first !== undefined)}
        path={`embed-tenants/${encodeURIComponent(tenant)}/workbooks`}
        query={{ accessSource, include: 'accessSources' }}
        view={(items, { tenant = '' }) => (
          <RecordTable caption="Workbooks" items={items} columns={columnsFor(tenant.toLowerCase())} />
        )}
        filters={filters}
      />
      <Explain {...props} />
    </>
  )
}

type Column = (workbook: Schemas['Workbook']) => preact.ComponentChildren

const columnsFor = (tenant: string): Record<string, Column> => ({
  Name: ({ name, id }) => (
    <>
      <b>{name}</b> <span class="hint">{id}</span>
    </>
  ),
  Type: ({ type }) => type.toLowerCase(),
  Folder: ({ folderPath = [] }) => (
    <ol class="folder-path">
      {folderPath.length === 0 && <span class="hint">top level</span>}
      {folderPath.map(({ id, name }) => (
        <li key={id} children={name} />
      ))}
    </ol>
  ),
  'Seen because': ({ accessSources = [] }) => (
    <ul class="plain reasons">
      {accessSources.map((reason) => (
        <li key={reason} children={inWords(reason, tenant)} />
      ))}
    </ul>
  ),
  Owner: ({ user }) => (user ? <Breakable text={user.firstName ?? user.email} at={/(?=@)/} /> : '–'),
  Updated: ({ updatedAt }) => <Moment iso={updatedAt} />,
})

function inWords(reason: Schemas['AccessReason'], tenant: string): string {
  const sharedWith = (name = 'all embed users') => `shared with ${name}`
  if (reason.source !== 'folder') return sharedWith(reason.source === 'tenant' ? tenant : undefined)
  const { folder, grantee } = reason
  return `through folder ${folder.name}, ${sharedWith('name' in grantee ? grantee.name : undefined)}`
}
