import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Answer, ApiRequest } from './api.ts'
import { Chips, CopyButton } from './fields.tsx'
import { snippets } from './snippets.ts'
import { Breakable } from './words.tsx'

/** A request with what became of it. Each has a number, so that a new one never passes for the one before. */
export type Exchange = { readonly number: number; readonly request: ApiRequest; readonly answer: Answer }

/** A request as it is sent, and as code. */
export const RequestView = ({ request }: { request: ApiRequest }) => (
  <div class="request">
    <p class="request-line">
      <b>{request.method}</b> <Breakable text={location.origin + request.path} at={/(?<=[/?&])/} />
    </p>
    <Headers of={Object.entries(request.headers)} />
    {request.body !== undefined && <Code text={request.body} label="Body of the request" />}
    <details class="code">
      <summary>As curl, Node or Python</summary>
      <Snippet request={request} />
    </details>
  </div>
)

function Snippet({ request }: { request: ApiRequest }) {
  const [language, setLanguage] = useState('curl')
  const text = snippets[language]?.(request, location.origin) ?? ''
  return (
    <>
      <Chips label="Language" of={Object.keys(snippets)} chosen={[language]} choose={setLanguage} />
      <Code text={text} label={`The request for ${language}`} />
      <CopyButton text={() => text} label="Copy" />
    </>
  )
}

/** An answer: what became of it, then all of it. Bodies that may be long are written out once they are opened. */
export function AnswerView({ answer, folded = false }: { answer: Answer; folded?: boolean }) {
  const { headers, body } = answer
  const written = () => <JsonView value={body} />
  return (
    <div class="answer">
      <Outcome answer={answer} />
      {body !== undefined && (folded ? <Lazy summary="Body">{written}</Lazy> : written())}
      {headers.length > 0 && <Lazy summary="Headers of the answer">{() => <Headers of={headers} />}</Lazy>}
    </div>
  )
}

export const ExchangeView = ({ of: { request, answer, number } }: { of: Exchange }) => [
  <RequestView request={request} key="request" />,
  <AnswerView answer={answer} folded={answer.status === 200} key={number} />,
]

const Headers = ({ of }: { of: readonly (readonly [string, string])[] }) => (
  <dl class="headers">{of.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}</dl>
)

/** What an answer says, for the ear. */
export const outcomeText = ({ status, statusText, message }: Answer): string =>
  `${status || ''} ${statusText}. ${message ?? ''}`.trim()

/** The status in a word and a colour, and in a refusal what the service says. */
export const Outcome = ({ answer, children }: { answer: Answer; children?: ComponentChildren }) => (
  <p class="outcome" tabIndex={-1}>
    <Badge look={/^2/.test(`${answer.status}`) ? 'good' : 'bad'}>{`${answer.status || ''} ${answer.statusText}`}</Badge>
    <span class="hint"> {answer.milliseconds} ms </span>
    {answer.message !== undefined && <span class="message">{answer.message}</span>}
    {children}
  </p>
)

type Look = 'good' | 'bad' | 'busy' | 'idle'
export const Badge = ({ look, children }: { look: Look; children: string }) => (
  <span class={`badge ${look}`}>{children.trim()}</span>
)

export const JsonView = ({ value }: { value: unknown }) => (
  <Code text={JSON.stringify(value, null, 2)} label="Body of the answer" />
)

/** Long lines and texts scroll within, which needs the focus for those without a mouse. */
const Code = ({ text, label }: { text: string; label: string }) => (
  <pre tabIndex={0} role="group" aria-label={label} children={text} />
)

export function Lazy({ summary, children }: { summary: string; children: () => ComponentChildren }) {
  const [wasOpened, setOpened] = useState(false)
  return (
    <details onToggle={() => setOpened(true)}>
      <summary>{summary}</summary>
      {wasOpened && children()}
    </details>
  )
}
