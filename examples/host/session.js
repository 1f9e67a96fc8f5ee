// The session of the embedded page: from its address, or from the page around it.
import { redeem, sessionFromHost } from './client.js'

const { apiUrl, host } = document.documentElement.dataset

// A host may open this page with ?session=ID. Nothing keeps the id: it works once.
const address = new URL(location.href)
const sessionId = address.searchParams.get('session') ?? undefined
address.searchParams.delete('session')
history.replaceState(null, '', address)

export const session = await redeem({
  baseUrl: apiUrl,
  sessionId,
  newSession: sessionFromHost({ origins: [host] }),
  onExpiring: () => dispatchEvent(new Event('expiring')),
})
