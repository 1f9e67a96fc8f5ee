/**
 * The API keys of the demo catalog. They are PUBLIC: anyone can read them here. Never load the demo
 * catalog, or any other record of these keys, into a service that holds real data.
 */
export const demoKeys = {
  admin: 'sk-demo-harborline-admin',
  adminOfFirstDeployment: 'sk-demo-harborline-admin-1001',
  analyst: 'sk-demo-harborline-analyst',
  otherAccount: 'sk-demo-tidewater-admin',
  expired: 'sk-demo-harborline-expired',
} as const

/** The owner of each key, and what the key reaches. */
export const aboutDemoKeys: Readonly<Record<string, string>> = {
  [demoKeys.admin]: 'Ines, an admin; reads every deployment',
  [demoKeys.adminOfFirstDeployment]: 'Tobias, an admin; the key is scoped to deployment 1001',
  [demoKeys.analyst]: 'Priya, not an admin; reads deployment 1001 only',
  [demoKeys.otherAccount]: 'Odile, an admin; reads every deployment',
  [demoKeys.expired]: 'Ines, an admin; reads every deployment; expired on 2026-01-01',
}
