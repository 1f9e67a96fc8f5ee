import { useState } from 'preact/hooks'
import type { Schemas } from './api.ts'
import { Explain, type Question } from './explain.tsx'
import { Button, Fields } from './fields.tsx'
import { type Columns, Listing, RecordTable } from './listing.tsx'
import { type Page, useFilledFor } from './page.ts'
import { inWords, item, Moment } from './words.tsx'

const sources = {
  '': 'All of them',
  tenant: 'Tenant',
  allEmbedUsers: 'All embed users',
  folder: 'Folder',
}
const filters = [
  { name: 'tenant', label: 'Embed tenant', list: 'embed-tenants', errorsOf: 'embedTenantName' },
  { name: 'accessSource', label: 'Access source', as: Object.entries(sources) },
]

export function WorkbooksTab({ page }: { page: Page }) {
  const { account, isLoading, things } = page.directory
  const form = page.formOf('workbooks')
  const { tenant = '', accessSource = '' } = form.values
  const [first] = things.embedTenants
  const [question, setQuestion] = useState<Question>()
  function put(asked: Question): void {
    const { workbook, tenant: named = tenant } = asked
    form.set({ tenant: named, ...(workbook && { why: String(workbook) }) })
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
          <RecordTable caption="Workbooks" items={items} columns={columnsFor(tenant, put)} />
        )}
      />
      <Explain page={page} form={form} question={question} put={put} />
    </>
  )
}

function columnsFor(
  tenant: string,
  put: (question: Question) => void,
): Columns<Schemas['Workbook']> {
  const lower = tenant.toLowerCase()
  const asks = (word: Question['word'], workbook: number, label: string) => (
    <Button
      class="quiet"
      aria-label={label}
      onClick={() => put({ word, workbook, tenant })}
      children={word === 'why' ? 'Why' : 'Who'}
    />
  )
  return {
    Name: ({ name, id }) => [<b key="">{name} </b>, <span class="hint" key="id" children={id} />],
    Type: ({ type }) => type.toLowerCase(),
    Folder: ({ folderPath = [] }) => (
      <ol class="folder-path">
        {folderPath.length === 0 && <li class="hint">top level</li>}
        {folderPath.map(({ name, id }) => item(name, id))}
      </ol>
    ),
    'Seen because': ({ accessSources = [] }) => (
      <ul children={accessSources.map((reason) => inWords(reason, lower)).map(item)} />
    ),
    Owner: ({ user }) => user?.firstName ?? user?.email ?? '–',
    Updated: ({ updatedAt }) => <Moment iso={updatedAt} />,
    Access: ({ id, name }) => (
      <div class="links">
        {asks('why', id, `Why ${lower} sees ${name}`)}
        {asks('who', id, `Who can see ${name}`)}
      </div>
    ),
  }
}
