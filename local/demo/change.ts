export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

export type Kind =
  | 'account'
  | 'user'
  | 'apiKey'
  | 'deployment'
  | 'embedTenant'
  | 'group'
  | 'tenantGroup'
  | 'folder'
  | 'workbook'
  | 'share'
  | 'dbtSync'
  | 'notification'
  | 'recipient'

export type Change = { kind: Kind; op: 'put'; revision: number; data: JsonObject }

export const put = (kind: Kind, data: JsonObject): Change => ({ kind, op: 'put', revision: 1, data })
