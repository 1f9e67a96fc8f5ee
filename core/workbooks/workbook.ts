import type * as v from 'valibot'
import { boolean, exactly, freeForm, id, integer, list, number, oneOf, optional, orNull, text } from '../schema.ts'
import { time } from '../time.ts'
import { Dashboard, DashboardConfig } from './dashboard.ts'

export const FolderPathEntry = exactly({ id, name: text })

export const ResourceOwner = exactly({ id, email: text, firstName: orNull(text), picture: orNull(text) })

/** Workbook, field by field as in the specification. */
export const Workbook = exactly({
  id,
  deploymentId: id,
  name: text,
  meta: freeForm,
  calculatedFields: freeForm,
  createdAt: time,
  updatedAt: time,
  type: oneOf(['FOLDER', 'WORKBOOK', 'REPORT']),
  createdBy: optional(integer),
  dashboardDraft: orNull(DashboardConfig),
  dashboardPublished: orNull(DashboardConfig),
  folderId: orNull(id),
  folderPath: optional(list(FolderPathEntry)),
  isFavorite: orNull(boolean),
  publishedDashboard: orNull(Dashboard),
  slug: orNull(text),
  user: orNull(ResourceOwner),
  userId: orNull(number),
})

export type Workbook = v.InferOutput<typeof Workbook>
