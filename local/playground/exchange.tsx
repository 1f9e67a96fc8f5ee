import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answer, ApiRequest } from './api.ts'
import { Chips, CopyButton, Folded } from './fields.tsx'
import { snippets } from './snippets.ts'

/** A request with what became of it. */
export type Exchange = { readonly request: ApiRequest; readonly answer: Answer }

export function RequestView({ request }: { request: ApiRequest }) {
  const [language, setLanguage] = useState('curl')
  const code = () => snippets[language]?.(request, location.origin) ?? ''
  return (
    <div class="request">
      <p class="request-line">
        <b>{request.method}</b> {location.origin + request.path}
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

type AnswerProps = { answer: Answer; folded?: boolean }

/** An answer: what became of it, then all of it. */
export const AnswerView = (props: AnswerProps) => (
  <div class="answer">
    <Outcome answer={props.answer} />
    <BodyAndHeaders {...props} />
  </div>
)

export function BodyAndHeaders({ answer: { body, headers }, folded }: AnswerProps) {
  const written = <JsonView value={body} />
  return (
    <>
      {body !== undefined && body !== '' && (folded ? <Folded summary="Body" children={written} /> : written)}
      {headers.length > 0 && <Folded summary="Headers of the answer" children={<Headers of={headers} />} />}
    </>
  )
}

/** The key is the answer: a new one never passes for the one before. */
export const ExchangeView = ({ of }: { of: Exchange | undefined }) =>
  of && [
    <RequestView request={of.request} key="request" />,
    <AnswerView answer={of.answer} folded={of.answer.status === 200} key={of.answer} />,
  ]

const Headers = ({ of }: { of: Answer['headers'] }) => (
  <dl class="headers">{of.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}</dl>
)

/** What became of an action, which screen readers are told. A live region speaks only if it was there before its text. */
export function Outcome({ answer, children }: { answer?: Answer; children?: ComponentChildren }) {
  const shown = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const announcer = document.getElementById('announcer')
    if (announcer) announcer.textContent = shown.current?.textContent ?? ''
  }, [])
  return (
    <p class="outcome" tabIndex={-1} ref={shown}>
      {answer && <Badge look={answer.isOk ? 'good' : 'bad'}>{`${answer.status || ''} ${answer.statusText}`}</Badge>}
      {answer && <span class="hint"> {answer.milliseconds} ms </span>}
      {answer?.message && <span>{answer.message}</span>}
      {children}
    </p>
  )
}

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
