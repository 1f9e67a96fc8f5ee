import { useLayoutEffect, useRef } from 'preact/hooks'
import { Explain } from './explain.tsx'
import { Field, Input } from './fields.tsx'
import { isObject, type Json, type JsonObject } from './json.ts'
import { Listing } from './listing.tsx'
import { RecordTable } from './record-table.tsx'
import type { TabProps } from './tab.ts'
import { Breakable, Moment } from './words.tsx'

const sources = [
  ['', 'All of them'],
  ['tenant', 'Tenant'],
  ['allEmbedUsers', 'All embed users'],
  ['folder', 'Folder'],
] as const

export function WorkbooksTab(props: TabProps) {
  const { form, caller, directory } = props
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
      path={`/api/v1/deployments/${encodeURIComponent(caller.deployment)}/embed-tenants/${encodeURIComponent(tenant)}/workbooks`}
      query={{ accessSource, include: 'accessSources' }}
      view={(items, asked) => <Workbooks items={items} tenant={(asked.tenant ?? '').toLowerCase()} />}
      filters={
        <>
          <Input
            form={form}
            name="tenant"
            id="workbooks-tenant"
            errorsOf="embedTenantName"
            label="Embed tenant"
            list="embed-tenants"
          />
          <Field id="access-source" name="accessSource" class="choice">
            {(aria) => (
              <fieldset {...aria} tabIndex={-1}>
                <legend>Access source</legend>
                {sources.map(([value, text]) => (
                  <label key={value}>
                    <input
                      type="radio"
                      name="accessSource"
                      value={value}
                      checked={value === accessSource}
                      onInput={() => form.set({ accessSource: value })}
                    />
                    <span>{text}</span>
                  </label>
                ))}
              </fieldset>
            )}
          </Field>
        </>
      }
      below={
        <Explain
          form={form}
          directory={directory}
          deployment={caller.deployment}
          isShown={props.isShown}
          settled={props.settled}
        />
      }
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
    columns={[
      [
        'Name',
        ({ name, id }) => (
          <span>
            <b>{String(name)}</b> <span class="hint">{String(id)}</span>
          </span>
        ),
      ],
      ['Type', ({ type }) => String(type).toLowerCase()],
      ['Folder', ({ folderPath }) => <FolderPath of={folderPath} />],
      [
        'Seen because',
        ({ accessSources }) => <Reasons of={accessSources as unknown as AccessReason[]} tenant={tenant} />,
      ],
      [
        'Owner',
        ({ user }) => (isObject(user) ? <Breakable text={String(user.firstName ?? user.email)} at={/(?=@)/} /> : '–'),
      ],
      ['Updated', ({ updatedAt }) => <Moment iso={String(updatedAt)} />],
    ]}
  />
)

/** Root first, as the API gives it. */
function FolderPath({ of }: { of: Json | undefined }) {
  const folders = Array.isArray(of) ? (of as JsonObject[]) : []
  if (folders.length === 0) return <span class="hint">top level</span>
  return (
    <ol class="folder-path">
      {folders.map(({ id, name }) => (
        <li key={String(id)}>{String(name)}</li>
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
const Reasons = ({ of, tenant }: { of: readonly AccessReason[]; tenant: string }) => (
  <ul class="plain reasons">
    {of.map((reason) => (
      <li key={JSON.stringify(reason)}>{inWords(reason, tenant)}</li>
    ))}
  </ul>
)

function inWords(reason: AccessReason, tenant: string): string {
  const sharedWith = (name = 'all embed users') => `shared with ${name}`
  if (reason.source === 'folder') return `through folder ${reason.folder.name}, ${sharedWith(reason.grantee.name)}`
  return sharedWith(reason.source === 'tenant' ? tenant : undefined)
}
