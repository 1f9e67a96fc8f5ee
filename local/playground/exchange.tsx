import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answer, ApiRequest } from './api.ts'
import { Chips, CopyButton, Folded } from './fields.tsx'
import { snippets } from './snippets.ts'

export type Exchange = { readonly request: ApiRequest; readonly answer: Answer }

export function RequestView({ request }: { request: ApiRequest }) {
  const [language, setLanguage] = useState('curl')
  const code = snippets[language]?.(request, location.origin) ?? ''
  return (
    <div class="request">
      <p class="request-line">
        <b>{request.method}</b> {location.origin + request.path}
      </p>
      <Headers of={Object.entries(request.headers)} />
      {request.body !== undefined && <Code text={request.body} label="Body of the request" />}
      <Folded summary="As curl, Node or Python">
        <Chips
          label="Language"
          of={Object.keys(snippets)}
          chosen={[language]}
          choose={setLanguage}
        />
        <Code text={code} label={`The request for ${language}`} />
      </Folded>
    </div>
  )
}

/** An answer: what became of it, unless that was told already, then all of it. */
export function AnswerView({
  answer,
  folded,
  isTold,
}: {
  answer: Answer
  folded?: boolean
  isTold?: boolean
}) {
  const written = <Code text={JSON.stringify(answer.body, null, 2)} label="Body of the answer" />
  return (
    <div class="answer">
      {!isTold && <Outcome answer={answer} />}
      {!!answer.body && (folded ? <Folded summary="Body" children={written} /> : written)}
      {answer.headers.length > 0 && (
        <Folded summary="Headers of the answer" children={<Headers of={answer.headers} />} />
      )}
    </div>
  )
}

/** The key is the answer: a new one never passes for the one before. */
export const ExchangeView = ({ of }: { of: Exchange | undefined }) =>
  of && [
    <RequestView request={of.request} key="request" />,
    <AnswerView answer={of.answer} folded={of.answer.status === 200} key={of.answer} />,
  ]

const Headers = ({ of }: { of: Answer['headers'] }) => (
  <dl class="headers">
    {of.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}
  </dl>
)

/**
 * What became of an action, which screen readers are told. A live region speaks only if it was
 * there before its text.
 */
export function Outcome({ answer, children }: { answer?: Answer; children?: ComponentChildren }) {
  const shown = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const announcer = document.getElementById('announcer')
    if (announcer) announcer.textContent = shown.current?.textContent ?? ''
  }, [])
  return (
    <p class="outcome" tabIndex={-1} ref={shown}>
      {answer && (
        <Badge
          look={answer.isOk ? 'good' : 'bad'}
        >{`${answer.status || ''} ${answer.statusText}`}</Badge>
      )}
      {answer && <span class="hint"> {answer.milliseconds} ms </span>}
      {answer?.message && <span>{answer.message}</span>}
      {children}
    </p>
  )
}

export const Badge = ({
  look,
  children,
}: {
  look: 'good' | 'bad' | 'busy' | 'idle'
  children: string
}) => <span class={`badge ${look}`}>{children.trim()}</span>

/** Long lines and texts scroll within, which needs the focus for those without a mouse. */
export const Code = ({ text, label }: { text: string; label: string }) => (
  <div class="code">
    <pre tabIndex={0} role="group" aria-label={label} children={text} />
    <CopyButton text={() => text} label="Copy" of={label} />
  </div>
)
