import * as v from 'valibot'
import { exactly, text } from '../schema.ts'

/** With whom a folder or workbook is shared. */
export const Grantee = v.variant('type', [
  exactly({ type: v.literal('embedTenant'), name: text }),
  exactly({ type: v.literal('allEmbedUsers') }),
])

export type Grantee = Readonly<v.InferOutput<typeof Grantee>>
