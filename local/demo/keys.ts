/**
 * The API keys of the demo catalog. They are PUBLIC: anyone can read them here. Never load the demo
 * catalog, or any other record of these keys, into a service that holds real data.
 */
export const demoKeys = {
  /** Ines Carvalho, admin of harborline, every deployment. */
  admin: 'sk-demo-harborline-admin',
  /** Tobias Lindqvist, admin of harborline; the key is scoped to deployment 1001. */
  adminOfFirstDeployment: 'sk-demo-harborline-admin-1001',
  /** Priya Raman, not an admin; she reads deployment 1001 only. */
  analyst: 'sk-demo-harborline-analyst',
  /** Odile Marchetti, admin of tidewater, where embedding is off. */
  otherAccount: 'sk-demo-tidewater-admin',
  /** Ines Carvalho again; ended with the year 2025. */
  expired: 'sk-demo-harborline-expired',
} as const
