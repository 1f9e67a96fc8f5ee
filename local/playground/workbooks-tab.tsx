import type { Schemas } from './api.ts'
import { Explain } from './explain.tsx'
import { Fields } from './fields.tsx'
import { useFilledFor } from './hooks.ts'
import { type Columns, Listing, RecordTable } from './listing.tsx'
import type { Page } from './page.ts'
import { item, Moment } from './words.tsx'

const filters = [
  { name: 'tenant', label: 'Embed tenant', list: 'embed-tenants', errorsOf: 'embedTenantName' },
  {
    name: 'accessSource',
    label: 'Access source',
    as: Object.entries({
      '': 'All of them',
      tenant: 'Tenant',
      allEmbedUsers: 'All embed users',
      folder: 'Folder',
    }),
  },
]

export function WorkbooksTab({ page }: { page: Page }) {
  const { account, isLoading, things } = page.directory
  const form = page.formOf('workbooks')
  const { tenant = '', accessSource = '' } = form.values
  const [first] = things.embedTenants
  useFilledFor(first && account?.id, tenant !== '', () => {
    form.set({ tenant: first?.name ?? '' })
    page.settle()
  })
  return (
    <>
      <Listing<Schemas['Workbook']>
        page={page}
        tab="workbooks"
        noun="workbook"
        empty="No workbook is shared with this embed tenant in this way. Try another access source."
        missing={page.missing ?? (tenant.trim() === '' ? 'Type an embed tenant.' : undefined)}
        isWaiting={tenant === '' && (isLoading || first !== undefined)}
        path={`embed-tenants/${encodeURIComponent(tenant)}/workbooks`}
        query={{ accessSource, include: 'accessSources' }}
        filters={<Fields form={form} of={filters} />}
        view={(items, { tenant = '' }) => (
          <RecordTable
            caption="Workbooks"
            items={items}
            columns={columnsFor(tenant.toLowerCase())}
          />
        )}
      />
      <Explain page={page} form={form} />
    </>
  )
}

const columnsFor = (tenant: string): Columns<Schemas['Workbook']> => ({
  Name: ({ name, id }) => [
    <b key="name">{name}</b>,
    ' ',
    <span class="hint" key="id" children={id} />,
  ],
  Type: ({ type }) => type.toLowerCase(),
  Folder: ({ folderPath = [] }) => (
    <ol class="folder-path">
      {folderPath.length === 0 && <span class="hint">top level</span>}
      {folderPath.map(({ name, id }) => item(name, id))}
    </ol>
  ),
  'Seen because': ({ accessSources = [] }) => (
    <ul children={accessSources.map((reason) => inWords(reason, tenant)).map(item)} />
  ),
  Owner: ({ user }) => user?.firstName ?? user?.email ?? '–',
  Updated: ({ updatedAt }) => <Moment iso={updatedAt} />,
})

function inWords(reason: Schemas['AccessReason'], tenant: string): string {
  if (reason.source !== 'folder')
    return `shared with ${reason.source === 'tenant' ? tenant : 'all embed users'}`
  const { folder, grantee } = reason
  return `through folder ${folder.name}, shared with ${'name' in grantee ? grantee.name : 'all embed users'}`
}
