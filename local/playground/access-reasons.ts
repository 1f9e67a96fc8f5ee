import { element } from './dom.ts'

/** Why an embed tenant sees a workbook: a share of the workbook, or of a folder that it lies in. */
export type AccessReason =
  | { readonly source: 'tenant' | 'allEmbedUsers' }
  | { readonly source: 'folder'; readonly folder: { readonly name: string }; readonly grantee: Grantee }

type Grantee =
  | { readonly type: 'embedTenant'; readonly name: string }
  | { readonly type: 'allEmbedUsers'; readonly name?: undefined }

/** Every reason in words, as the API orders them: direct shares first, then folders, root first. */
export const reasonsView = (reasons: readonly AccessReason[], tenant: string): HTMLElement =>
  element('ul', { class: 'plain reasons' }, ...reasons.map((reason) => element('li', {}, inWords(reason, tenant))))

function inWords(reason: AccessReason, tenant: string): string {
  switch (reason.source) {
    case 'tenant':
      return sharedWith(tenant)
    case 'allEmbedUsers':
      return sharedWith()
    case 'folder':
      return `through folder ${reason.folder.name}, ${sharedWith(reason.grantee.name)}`
  }
}

const sharedWith = (tenant = 'all embed users'): string => `shared with ${tenant}`
