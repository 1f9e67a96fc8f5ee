import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Answer, ApiRequest } from './api.ts'
import { CopyButton } from './fields.tsx'
import type { Json } from './json.ts'
import { snippets } from './snippets.ts'
import { Breakable } from './words.tsx'

/** A request with what became of it. Each has a number, so that a new one never passes for the one before. */
export type Exchange = { readonly number: number; readonly request: ApiRequest; readonly answer: Answer }

/** A request as it is sent, and as code. */
export function RequestView({ request }: { request: ApiRequest }) {
  const { method, path, headers, body } = request
  return (
    <div class="request">
      <p class="request-line">
        <b>{method}</b> <Breakable text={location.origin + path} at={/(?<=[/?&])/} />
      </p>
      <Headers of={Object.entries(headers)} />
      {body !== undefined && <Code text={body} label="Body of the request" />}
      <details class="code">
        <summary>As curl, Node or Python</summary>
        <Snippet request={request} />
      </details>
    </div>
  )
}

function Snippet({ request }: { request: ApiRequest }) {
  const [language, setLanguage] = useState('curl')
  const text = snippets[language]?.(request, location.origin) ?? ''
  return (
    <>
      <fieldset class="suggestions" aria-label="Language">
        {Object.keys(snippets).map((each) => (
          <button
            type="button"
            class="chip"
            key={each}
            aria-pressed={each === language}
            onClick={() => setLanguage(each)}
          >
            {each}
          </button>
        ))}
      </fieldset>
      <Code text={text} label={`The request for ${language}`} />
      <CopyButton text={() => text} label="Copy" />
    </>
  )
}

/** An answer: what became of it, then all of it. Bodies that may be long are written out once they are opened. */
export function AnswerView({ answer, folded = false }: { answer: Answer; folded?: boolean }) {
  const { headers, body } = answer
  return (
    <div class="answer">
      <Outcome answer={answer} />
      {body !== undefined &&
        (folded ? <Lazy summary="Body">{() => <JsonView value={body} />}</Lazy> : <JsonView value={body} />)}
      {headers.length > 0 && <Lazy summary="Headers of the answer">{() => <Headers of={headers} />}</Lazy>}
    </div>
  )
}

export const ExchangeView = ({ of: { request, answer, number } }: { of: Exchange }) => [
  <RequestView request={request} key="request" />,
  <AnswerView answer={answer} folded={answer.status === 200} key={number} />,
]

const Headers = ({ of }: { of: readonly (readonly [string, string])[] }) => (
  <dl class="headers">
    {of.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
  </dl>
)

/** What an answer says, for the ear. */
export const outcomeText = ({ status, statusText, message }: Answer): string =>
  `${status || ''} ${statusText}. ${message ?? ''}`.trim()

/** The status in a word and a colour, and in a refusal what the service says. */
export function Outcome({ answer, children }: { answer: Answer; children?: ComponentChildren }) {
  const { status, statusText, milliseconds, message } = answer
  return (
    <p class="outcome" tabIndex={-1}>
      <span class={`badge ${status >= 200 && status < 300 ? 'good' : 'bad'}`}>
        {`${status || ''} ${statusText}`.trim()}
      </span>
      <span class="hint"> {milliseconds} ms </span>
      {message !== undefined && <span class="message">{message}</span>}
      {children}
    </p>
  )
}

export const JsonView = ({ value }: { value: Json }) => (
  <Code text={JSON.stringify(value, null, 2)} label="Body of the answer" />
)

/** Long lines and texts scroll within, which needs the focus for those without a mouse. */
const Code = ({ text, label }: { text: string; label: string }) => (
  <pre tabIndex={0} role="region" aria-label={label}>
    {text}
  </pre>
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
