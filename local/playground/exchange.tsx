import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Answer, ApiRequest } from './api.ts'
import { Button, Chips, Folded } from './fields.tsx'
import { snippets } from './snippets.ts'

export type Exchange = { request: ApiRequest; answer: Answer }

export function RequestView({ request }: { request: ApiRequest }) {
  const languages = Object.keys(snippets)
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
        <Chips label="Language" of={languages} chosen={[language]} choose={setLanguage} />
        <Code text={code} label={`The request for ${language}`} />
      </Folded>
    </div>
  )
}

type AnswerProps = { answer: Answer; folded?: boolean; isTold?: boolean }

export function AnswerView({ answer, folded, isTold }: AnswerProps) {
  const body = <Code text={JSON.stringify(answer.body, null, 2)} label="Body of the answer" />
  return (
    <div class="answer">
      {!isTold && <Outcome answer={answer} />}
      {!!answer.body && (folded ? <Folded summary="Body" children={body} /> : body)}
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

export const Behind = ({ of }: { of: Exchange }) => (
  <Folded summary="The request and its answer">
    <RequestView request={of.request} />
    <AnswerView answer={of.answer} isTold />
  </Folded>
)

const Headers = ({ of }: { of: Answer['headers'] }) => (
  <dl>
    {of.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}
  </dl>
)

/** What became of an action. A live region speaks only if it was there before its text. */
export function Outcome({ answer, children }: { answer?: Answer; children?: ComponentChildren }) {
  const shown = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const announcer = document.getElementById('announcer')
    if (announcer) announcer.textContent = shown.current?.textContent ?? ''
  }, [])
  return (
    <p class="outcome" tabIndex={-1} ref={shown}>
      {answer && [
        <Badge look={answer.isOk ? 'good' : 'bad'} key="status">
          {`${answer.status || ''} ${answer.statusText}`}
        </Badge>,
        <span class="hint" key="time">{` ${answer.milliseconds} ms `}</span>,
        answer.message && <span key="message">{answer.message}</span>,
      ]}
      {children}
    </p>
  )
}

type BadgeProps = { look: 'good' | 'bad' | 'busy' | 'idle'; children: string }

export const Badge = ({ look, children }: BadgeProps) => (
  <span class={`badge ${look}`}>{children.trim()}</span>
)

/** Long texts scroll. For people without a mouse, the text takes the focus. */
export function Code({ text, label }: { text: string; label: string }) {
  const [ended, setEnded] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setEnded('Copied.'),
      () => setEnded('The browser did not allow it: select the text and copy it.'),
    )
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={label} children={text} />
      <Button class="quiet" onClick={copy} aria-label={`Copy: ${label}`} children="Copy" />
      <span class="hint" role="status" children={ended} />
    </div>
  )
}
