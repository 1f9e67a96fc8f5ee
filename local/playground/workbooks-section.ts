import { type AccessReason, reasonsView } from './access-reasons.ts'
import type { Caller } from './caller.ts'
import { breakable, byId, element } from './dom.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { createListing, type Listing } from './listing.ts'
import { recordTable } from './record-table.ts'
import { moment } from './words.ts'

export function workbooksSection(caller: Caller): Listing {
  const tenant = byId('workbooks-tenant', HTMLInputElement)
  const useFirstTenant = () => {
    tenant.value = caller.account()?.embedTenants[0]?.name ?? ''
  }
  let account = caller.account()
  useFirstTenant()
  /** Whose workbooks are asked for, whatever is typed until they come. */
  let listed = ''
  caller.onChange(() => {
    if (account !== caller.account()) useFirstTenant()
    account = caller.account()
  })
  return createListing({
    caller,
    section: byId('workbooks', HTMLElement),
    noun: 'workbook',
    empty: 'No workbook is shared with this embed tenant in this way. Try another access source.',
    missing: () => (tenant.value.trim() === '' ? 'Type an embed tenant.' : undefined),
    path: () => {
      listed = tenant.value
      const [deployment, name] = [caller.deployment(), listed].map(encodeURIComponent)
      return `/api/v1/deployments/${deployment}/embed-tenants/${name}/workbooks`
    },
    view: (items) =>
      recordTable('Workbooks', items, [
        ['Name', ({ name, id }) => element('span', {}, element('b', {}, String(name)), ' ', small(id))],
        ['Type', ({ type }) => String(type).toLowerCase()],
        ['Folder', ({ folderPath }) => folderView(folderPath)],
        [
          'Seen because',
          ({ accessSources }) => reasonsView(accessSources as unknown as AccessReason[], listed.toLowerCase()),
        ],
        ['Owner', ({ user }) => (isObject(user) ? breakable(String(user.firstName ?? user.email), /(?=@)/) : '–')],
        ['Updated', ({ updatedAt }) => moment(String(updatedAt))],
      ]),
  })
}

const small = (value: Json | undefined): HTMLElement => element('span', { class: 'hint' }, String(value))

/** Root first, as the API gives it. */
function folderView(folderPath: Json | undefined): HTMLElement {
  const folders = Array.isArray(folderPath) ? (folderPath as JsonObject[]) : []
  if (folders.length === 0) return element('span', { class: 'hint' }, 'top level')
  return element('ol', { class: 'folder-path' }, ...folders.map(({ name }) => element('li', {}, String(name))))
}
