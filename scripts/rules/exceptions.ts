// Exceptions to the architecture rules, each with its reason.
import type { Violation } from './tree.ts'

/** A file that may break a rule, with the reason. */
interface Exception {
  rule: string
  files: string[]
  why: string
}

const exceptions: Exception[] = [
  {
    rule: 'container-folders',
    files: ['containers/chromium/egress/rule.ts'],
    why: 'Workers and the browser have one list of private addresses',
  },
  {
    rule: 'verbs-http',
    files: [
      'src/catcher/capture.ts',
      'src/catcher/truncated-body.ts',
      'src/catcher/received-request.ts',
      'src/catcher/spaces.ts',
      'src/catcher/answer.ts',
    ],
    why: 'the catcher stores requests and makes the replies that were set: HTTP is its subject',
  },
  {
    rule: 'verbs-http',
    files: ['src/bus/callers.ts', 'src/bus/health.ts', 'src/catcher/reservation.ts', 'src/feed/subscribers.ts'],
    why: 'they check credentials, which are read from the request before its parameters are valid',
  },
  {
    rule: 'verbs-http',
    files: ['src/feed/audience.ts', 'src/catcher/space.ts'],
    why: 'a durable object takes a WebSocket by fetch alone',
  },
  {
    rule: 'verbs-http',
    files: ['src/feed/stream.ts', 'src/catcher/stream.ts', 'src/signature/json-stream.ts'],
    why: 'they write a reply while it is read',
  },
  {
    rule: 'verbs-http',
    files: [
      'src/media/r2-download.ts',
      'src/media/file-responses.ts',
      'src/media/thumbnails.ts',
      'src/pdf/documents.ts',
    ],
    why: 'downloads: ranges, conditions and validators are headers, and the body is a stream',
  },
  {
    rule: 'verbs-http',
    files: ['src/media/multipart-form.ts', 'src/media/uploads.ts', 'src/media/tus.ts'],
    why: 'uploads are read from the request as they arrive; the state of tus is in headers',
  },
  {
    rule: 'verbs-http',
    files: [
      'src/search/example.ts',
      'src/payment/page/layout.ts',
      'src/payment/page/card-page.ts',
      'src/payment/page/error-page.ts',
    ],
    why: 'a page and the nonce in its Content-Security-Policy are made together',
  },
  {
    rule: 'verbs-http',
    files: ['src/email/concurrency-limit.ts', 'src/payment/http-log-middleware.ts', 'src/payment/http-log-writer.ts'],
    why: 'they wrap the whole component, and see requests before and after its endpoints',
  },
  {
    rule: 'verbs-http',
    files: ['src/sms/providers/request.ts'],
    why: 'it makes outgoing requests to providers',
  },
]

/** Whether a violation is listed as an exception. */
export const isException = ({ rule, file }: Violation): boolean =>
  exceptions.some((exception) => exception.rule === rule && exception.files.includes(file))

/** Exceptions that match no violation, each as "rule file". They are reported, so that the list does not grow stale. */
export const unneeded = (violations: readonly Violation[]): string[] =>
  exceptions.flatMap(({ rule, files }) =>
    files
      .filter((path) => !violations.some((found) => found.rule === rule && found.file === path))
      .map((path) => `${rule} ${path}`),
  )
