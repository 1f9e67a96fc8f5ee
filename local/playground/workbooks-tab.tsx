import { useLayoutEffect, useRef } from 'preact/hooks'
import { Explain } from './explain.tsx'
import { Errors, Field } from './fields.tsx'
import { isObject, type Json, type JsonObject } from './json.ts'
import { Listing } from './listing.tsx'
import { RecordTable } from './record-table.tsx'
import type { TabProps } from './tab.tsx'
import { Breakable, Moment } from './words.tsx'

const sources = { 'All of them': '', Tenant: 'tenant', 'All embed users': 'allEmbedUsers', Folder: 'folder' }

export function WorkbooksTab(props: TabProps) {
  const { form, directory } = props
  const { tenant = '', accessSource = '' } = form.values
  useFirstTenant(props)
  return (
    <Listing
      {...props}
      id="workbooks"
      title="What an embed tenant sees"
      lead="Workbooks that are shared with the tenant or with all embed users, or lie in such a folder at any depth. Each has every reason why the tenant sees it. For admins."
      noun="workbook"
      empty="No workbook is shared with this embed tenant in this way. Try another access source."
      missing={tenant.trim() === '' ? 'Type an embed tenant.' : undefined}
      isWaiting={tenant === '' && (directory.isLoading || directory.things.embedTenants.length > 0)}
      path={`embed-tenants/${encodeURIComponent(tenant)}/workbooks`}
      query={{ accessSource, include: 'accessSources' }}
      view={(items, asked) => <Workbooks items={items} tenant={(asked.tenant ?? '').toLowerCase()} />}
      filters={
        <>
          <Field form={form} name="tenant" errorsOf="embedTenantName" label="Embed tenant" list="embed-tenants" />
          <fieldset class="field choice" tabIndex={-1}>
            <legend>Access source</legend>
            {Object.entries(sources).map(([text, value]) => (
              <label key={value}>
                <input
                  type="radio"
                  name="source"
                  checked={value === accessSource}
                  onInput={() => form.set({ accessSource: value })}
                />
                <span>{text}</span>
              </label>
            ))}
            <Errors of="accessSource" id="access-source" />
          </fieldset>
        </>
      }
      below={<Explain {...props} />}
    />
  )
}

/** The first embed tenant of the account, unless one is named already. */
function useFirstTenant({ form, directory: { account, things }, settle }: TabProps): void {
  const accountBefore = useRef<string>(undefined)
  useLayoutEffect(() => {
    const [first] = things.embedTenants
    if (!account || !first || accountBefore.current === account.id) return
    const isOther = accountBefore.current !== undefined
    accountBefore.current = account.id
    if (!isOther && form.values.tenant) return
    form.set({ tenant: first.name })
    settle()
  }, [account, things])
}

const Workbooks = ({ items, tenant }: { items: readonly JsonObject[]; tenant: string }) => (
  <RecordTable
    caption="Workbooks"
    items={items}
    columns={{
      Name: ({ name, id }) => [
        <b key="name">{String(name)}</b>,
        ' ',
        <span class="hint" key="id" children={String(id)} />,
      ],
      Type: ({ type }) => String(type).toLowerCase(),
      Folder: ({ folderPath }) => <FolderPath of={folderPath} />,
      'Seen because': ({ accessSources }) => (
        <Reasons of={accessSources as unknown as AccessReason[]} tenant={tenant} />
      ),
      Owner: ({ user }) =>
        isObject(user) ? <Breakable text={String(user.firstName ?? user.email)} at={/(?=@)/} /> : '–',
      Updated: ({ updatedAt }) => <Moment iso={String(updatedAt)} />,
    }}
  />
)

/** Root first, as the API gives it. */
function FolderPath({ of }: { of: Json | undefined }) {
  const folders = Array.isArray(of) ? (of as JsonObject[]) : []
  if (folders.length === 0) return <span class="hint">top level</span>
  return (
    <ol class="folder-path">
      {folders.map(({ id, name }) => (
        <li key={String(id)} children={String(name)} />
      ))}
    </ol>
  )
}

/** Why an embed tenant sees a workbook: a share of the workbook, or of a folder that it lies in. */
type AccessReason =
  | { readonly source: 'tenant' | 'allEmbedUsers' }
  | {
      readonly source: 'folder'
      readonly folder: { readonly name: string }
      readonly grantee: { readonly name?: string }
    }

/** Every reason in words, as the API orders them: direct shares first, then folders, root first. */
function Reasons({ of, tenant }: { of: readonly AccessReason[]; tenant: string }) {
  const sharedWith = (name = 'all embed users') => `shared with ${name}`
  const words = of.map((reason) =>
    reason.source === 'folder'
      ? `through folder ${reason.folder.name}, ${sharedWith(reason.grantee.name)}`
      : sharedWith(reason.source === 'tenant' ? tenant : undefined),
  )
  return (
    <ul class="plain reasons">
      {words.map((each) => (
        <li key={each} children={each} />
      ))}
    </ul>
  )
}
