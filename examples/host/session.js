// The session of the embedded page, from the host's page around it.
import { redeem, sessionFromHost } from './client.js'

const { apiUrl, host } = document.documentElement.dataset

export const session = await redeem({
  baseUrl: apiUrl,
  newSession: sessionFromHost({ origins: [host] }),
  onExpiring: () => dispatchEvent(new Event('expiring')),
})
