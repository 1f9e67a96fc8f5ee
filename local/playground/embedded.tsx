import { createElement } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { EmbedFrame } from '../../client/embed-frame.ts'
import { type Answer, type ApiRequest, type Schemas, send } from './api.ts'
import { Code, Outcome } from './exchange.tsx'
import { Button } from './fields.tsx'
import { Missing } from './key-bar.tsx'
import { type Page, useLatest } from './page.ts'
import { Tabs } from './tabs.tsx'

/** The page of the example, on this server by its other name: another site for a browser. */
const site = new URL('/playground/embedded/', location.href)
site.hostname = location.hostname === 'localhost' ? '127.0.0.1' : 'localhost'

const sessionOf = ({ body }: Answer) => (body as Schemas['GeneratedSession']).sessionId

type EmbeddedProps = {
  page: Page
  request: ApiRequest
  /** Changes when somebody else is picked, and is 0 before the first one. */
  picked: number
}

export function Embedded({ page, request, picked }: EmbeddedProps) {
  const { missing, tab, isKnown, settled } = page
  const [first, show] = useLatest<Answer>()
  const shown = useRef(0)
  // A frame that asks again gets a session of the form as it is then.
  const latest = useRef(request)
  latest.current = request
  const isReady = tab === 'session' && isKnown && picked > 0
  function embed(): void {
    shown.current = picked
    show(send(latest.current))
  }
  useEffect(() => {
    if (isReady && !missing && shown.current !== picked) embed()
  }, [isReady, picked, settled])
  return (
    <div class="stack halves">
      <div class="embedded">
        {first?.isOk && <Frame first={sessionOf(first)} request={latest} key={first} />}
        {first && !first.isOk && <Outcome answer={first} key={first} />}
        {!first && missing && <Missing page={page} what={missing} />}
        <p class="hint">
          {`A page of ${site.origin}, which this page of ${location.origin} embeds. `}
          <Button class="quiet" disabled={missing !== undefined} onClick={embed}>
            Embed it with the form as it is
          </Button>
        </p>
      </div>
      <EmbeddingCode request={request} />
    </div>
  )
}

type FrameProps = { first: string; request: { current: ApiRequest } }

/** This page plays the host's backend too, and gives the frame a new session when it asks. */
function Frame({ first, request }: FrameProps) {
  const unused = useRef([first])
  async function newSession(): Promise<string> {
    const answer = unused.current.pop() ?? (await send(request.current))
    if (typeof answer === 'string') return answer
    if (!answer.isOk) throw new Error(answer.message)
    return sessionOf(answer)
  }
  const element = customElements.getName(EmbedFrame) as string
  return createElement(element, { src: site.href, title: 'Embedded page', newSession })
}

const inPage = `<embed-frame
  src="${site.href}"
  title="Embedded page"
></embed-frame>
<script type="module" src="/embed-frame.js"></script>`

const inBackend = (body = '{}') => `import { createClient } from '@embed-access/client/server'

const baseUrl = '${location.origin}'
const token = process.env.API_KEY
const api = createClient({ baseUrl, token })

// The element asks for this. Check first who is logged in.
app.post('/session', async ({ json }) =>
  json(await api.generateSession(${body.replaceAll('\n', '\n  ')})))`

const hint = (text: string) => <p class="hint" key="hint" children={text} />

function EmbeddingCode({ request }: { request: ApiRequest }) {
  const [module, setModule] = useState('')
  useEffect(() => {
    fetch('/playground/embedded/session.js').then(async (answer) => setModule(await answer.text()))
  }, [])
  const host = [
    <Code text={inPage} label="The host's page" key="page" />,
    <Code text={inBackend(request.body)} label="The host's backend" key="backend" />,
    hint('The key stays in the backend, which this page plays here, with the key above.'),
  ]
  const embedded = [
    <Code text={module} label="The embedded page's module" key="module" />,
    hint('The module that runs in the frame: it redeems the session, and renews the token.'),
  ]
  const of = [
    { name: 'The host', content: host },
    { name: 'The embedded page', content: embedded },
  ]
  return <Tabs id="code" label="The code of the embedded page" of={of} />
}
