import { useEffect, useState } from 'preact/hooks'
import { ask, type RecentRequest } from './api.ts'
import { Badge } from './exchange.tsx'
import { RecordTable } from './listing.tsx'

export function RequestsTab() {
  const [requests, setRequests] = useState<readonly RecentRequest[]>()
  const [said, say] = useState('They are being read …')
  useEffect(() => {
    function show(found: readonly RecentRequest[]): void {
      setRequests(found)
      say(`The latest ${found.length}, newest first.`)
    }
    const read = () => ask<RecentRequest[]>('requests').then(show, ({ message }) => say(message))
    read()
    const timer = setInterval(read, 2000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="listing">
      <p class="outcome hint" tabIndex={-1} children={said} />
      {requests && (
        <RecordTable
          caption="Recent requests"
          items={requests}
          columns={{
            Time: ({ at }) => <time>{new Date(at).toLocaleTimeString('en-GB')}</time>,
            Request: ({ request }) => <code>{request}</code>,
            Answer: ({ status }) => (
              <Badge look={status < 400 ? 'good' : 'bad'} children={`${status}`} />
            ),
            Took: ({ milliseconds }) => `${milliseconds} ms`,
            Caller: ({ who = '–' }) => who,
            Why: ({ reason }) => reason && <b>{reason}</b>,
            Id: ({ id }) => <span class="hint">{id}</span>,
          }}
        />
      )}
    </div>
  )
}
