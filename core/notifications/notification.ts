import * as v from 'valibot'
import { boolean, exactly, id, list, number, optional, orNull, text } from '../schema.ts'

/** The specification gives these flags no type. They take any JSON but objects and lists. */
const openFlag = orNull(
  v.union([boolean, number, text], 'must be true, false, a number, a string or null'),
)

export const NotificationFilter = exactly({
  member: optional(text),
  operator: optional(text),
  value: optional(text),
  caseSensitive: openFlag,
  endInclusive: openFlag,
  startInclusive: openFlag,
})

/** The scheduled notification item, field by field as in the specification. */
export const notificationFields = {
  id,
  deploymentId: id,
  dashboardId: optional(id),
  cronExpression: optional(text),
  humanReadableSchedule: optional(text),
  timezone: optional(text),
  isEnabled: optional(boolean),
  notificationEnabled: optional(boolean),
  notificationAiSummary: optional(boolean),
  notificationFormat: optional(text),
  filters: optional(list(NotificationFilter)),
  memberSwitchers: optional(list(exactly({ member: optional(text), selected: optional(text) }))),
  timeGrains: optional(list(exactly({ grain: optional(text), member: optional(text) }))),
}
