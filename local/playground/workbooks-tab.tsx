import { useState } from 'preact/hooks'
import type { Schemas } from './api.ts'
import { Explain, type Question } from './explain.tsx'
import { Button, Fields } from './fields.tsx'
import { useFilledFor } from './hooks.ts'
import { type Columns, Listing, RecordTable } from './listing.tsx'
import type { Page } from './page.ts'
import { inWords, item, Moment } from './words.tsx'

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
  const [question, setQuestion] = useState<Question>()
  function ask(asked: Question, id?: number, ofTenant?: string): void {
    if (id !== undefined) form.set({ why: String(id) })
    if (ofTenant !== undefined && ofTenant !== tenant) form.set({ tenant: ofTenant })
    setQuestion(asked)
  }
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
            columns={columnsFor(tenant.toLowerCase(), (word, id) => ask({ word }, id, tenant))}
          />
        )}
      />
      <Explain
        page={page}
        form={form}
        question={question}
        ask={(asked, ofTenant) => ask(asked, undefined, ofTenant)}
      />
    </>
  )
}

type AskAbout = (word: Question['word'], id: number) => void

const columnsFor = (tenant: string, ask: AskAbout): Columns<Schemas['Workbook']> => ({
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
  Access: ({ id, name }) => (
    <div class="links">
      <Button
        class="quiet"
        aria-label={`Why ${tenant} sees ${name}`}
        onClick={() => ask('why', id)}
        children="Why"
      />
      <Button
        class="quiet"
        aria-label={`Who can see ${name}`}
        onClick={() => ask('who', id)}
        children="Who"
      />
    </div>
  ),
})
