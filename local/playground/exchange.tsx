import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Answer, ApiRequest } from './api.ts'
import { Chips, CopyButton, Folded } from './fields.tsx'
import { snippets } from './snippets.ts'
import { Breakable } from './words.tsx'

/** A request with what became of it. */
export type Exchange = { readonly request: ApiRequest; readonly answer: Answer }

export function RequestView({ request }: { request: ApiRequest }) {
  const [language, setLanguage] = useState('curl')
  const code = () => snippets[language]?.(request, location.origin) ?? ''
  return (
    <div class="request">
      <p class="request-line">
        <b>{request.method}</b> <Breakable text={location.origin + request.path} at={/(?<=[/?&])/} />
      </p>
      <Headers of={Object.entries(request.headers)} />
      {request.body !== undefined && <Code text={request.body} label="Body of the request" />}
      <Folded summary="As curl, Node or Python" class="code">
        <Chips label="Language" of={Object.keys(snippets)} chosen={[language]} choose={setLanguage} />
        <Code text={code()} label={`The request for ${language}`} />
        <CopyButton text={code} label="Copy" />
      </Folded>
    </div>
  )
}

/** An answer: what became of it, then all of it. */
export function AnswerView({ answer, folded = false }: { answer: Answer; folded?: boolean }) {
  const { headers, body } = answer
  const written = () => <JsonView value={body} />
  return (
    <div class="answer">
      <Outcome answer={answer} />
      {body !== undefined && body !== '' && (folded ? <Folded summary="Body">{written}</Folded> : written())}
      {headers.length > 0 && <Folded summary="Headers of the answer">{() => <Headers of={headers} />}</Folded>}
    </div>
  )
}

/** The key is the answer: a new one never passes for the one before. */
export const ExchangeView = ({ of: { request, answer } }: { of: Exchange }) => [
  <RequestView request={request} key="request" />,
  <AnswerView answer={answer} folded={answer.status === 200} key={answer} />,
]

const Headers = ({ of }: { of: Answer['headers'] }) => (
  <dl class="headers">{of.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}</dl>
)

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

export const Badge = ({ look, children }: { look: 'good' | 'bad' | 'busy' | 'idle'; children: string }) => (
  <span class={`badge ${look}`}>{children.trim()}</span>
)

export const JsonView = ({ value }: { value: unknown }) => (
  <Code text={JSON.stringify(value, null, 2)} label="Body of the answer" />
)

/** Long lines and texts scroll within, which needs the focus for those without a mouse. */
const Code = ({ text, label }: { text: string; label: string }) => (
  <pre tabIndex={0} role="group" aria-label={label} children={text} />
)
