import * as v from 'valibot'
import { exactly, text } from '../schema.ts'
import { FolderPathEntry } from './workbook.ts'

/** With whom a folder or workbook is shared. */
export const Grantee = v.variant('type', [
  exactly({ type: v.literal('embedTenant'), name: text }),
  exactly({ type: v.literal('allEmbedUsers') }),
])

export type Grantee = Readonly<v.InferOutput<typeof Grantee>>

/** Why a workbook can be seen: a direct share, or a shared folder that it lies in at some depth. */
export const AccessReason = v.variant('source', [
  exactly({ source: v.literal('tenant') }),
  exactly({ source: v.literal('allEmbedUsers') }),
  exactly({ source: v.literal('folder'), folder: FolderPathEntry, grantee: Grantee }),
])

export type AccessReason = Readonly<v.InferOutput<typeof AccessReason>>
