// Samples of signed data for the tests. The first two were made by the OpenSSL command line with an ECDSA P-256 key:
// openssl cms -sign -binary -nosmimecap -in content.txt -signer cert.pem -inkey key.pem -outform DER, with and without -nodetach

import { der } from '../support/signed/der.ts'

export const content = 'The contract'

/** CMS with embedded content. */
export const attached =
  'MIICOgYJKoZIhvcNAQcCoIICKzCCAicCAQExDTALBglghkgBZQMEAgEwGwYJKoZIhvcNAQcBoA4EDFRoZSBjb250cmFjdKCCAQkwggEFMIGsAgEHMAoGCCqGSM49BAMCMA4xDDAKBgNVBAMMA0FubjAgFw0yNjExMjEyMTIwMDJaGA8yMTI2MTAyODIxMjAwMlowDjEMMAoGA1UEAwwDQW5uMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECI9HxRUvk5b8NtqLsoF/UhH2zeuGKDVmTA5b2rul+NIi6k1jXeXo9y+3Ea8ei5MWwWI1MQTjD5pLj+0TiEBpODAKBggqhkjOPQQDAgNIADBFAiAQfgruqfL9bWE5e77E0DjcQ4T50QqCkgfP9Y7UsM5sKAIhAMvrUXHEQlx0qp7AV7/Q8HbSqfkvA7EIDBtILoAPg5kaMYHoMIHlAgEBMBMwDjEMMAoGA1UEAwwDQW5uAgEHMAsGCWCGSAFlAwQCAaBpMBgGCSqGSIb3DQEJAzELBgkqhkiG9w0BBwEwHAYJKoZIhvcNAQkFMQ8XDTI2MTEyMTIxMjAwMlowLwYJKoZIhvcNAQkEMSIEIDPjjdtofFxvo+8mp5/QB1h+hRg/DA5gbYijP2Rb3KxOMAoGCCqGSM49BAMCBEcwRQIgBB14fXsyBRM1I2Q7dAyzG0Tn/7R+uJia6XtCyQoXh0sCIQCHVuqngWodOaATqXR/fSCNLcJ9UnFzgtPxexnIHR8Znw=='

export const detached =
  'MIICKQYJKoZIhvcNAQcCoIICGjCCAhYCAQExDTALBglghkgBZQMEAgEwCwYJKoZIhvcNAQcBoIIBCTCCAQUwgawCAQcwCgYIKoZIzj0EAwIwDjEMMAoGA1UEAwwDQW5uMCAXDTI2MTEyMTIxMjAwMloYDzIxMjYxMDI4MjEyMDAyWjAOMQwwCgYDVQQDDANBbm4wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQIj0fFFS+Tlvw22ouygX9SEfbN64YoNWZMDlvau6X40iLqTWNd5ej3L7cRrx6LkxbBYjUxBOMPmkuP7ROIQGk4MAoGCCqGSM49BAMCA0gAMEUCIBB+Cu6p8v1tYTl7vsTQONxDhPnRCoKSB8/1jtSwzmwoAiEAy+tRccRCXHSqnsBXv9DwdtKp+S8DsQgMG0gugA+DmRoxgecwgeQCAQEwEzAOMQwwCgYDVQQDDANBbm4CAQcwCwYJYIZIAWUDBAIBoGkwGAYJKoZIhvcNAQkDMQsGCSqGSIb3DQEHATAcBgkqhkiG9w0BCQUxDxcNMjYxMTIxMjEyMDAzWjAvBgkqhkiG9w0BCQQxIgQgM+ON22h8XG+j7yann9AHWH6FGD8MDmBtiKM/ZFvcrE4wCgYIKoZIzj0EAwIERjBEAiB06TXX/3bmJvvdU2pth5imQp5OcpeUY2T1fFLVM05nnwIgM1S3A1j5jnPWLTM1yt5SWDQQ+1T8JW6GXQTH+fF5FN4='

/** XML that xmlsec1 has signed with the same key. */
export const enveloped = `<?xml version="1.0" encoding="UTF-8"?>
<act>Акт №7<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"/><Reference URI=""><Transforms><Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/></Transforms><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>DtCNk2QzOXrR2/6FwzfKW3+sW0Eig/56K3LMBlHTt0s=</DigestValue></Reference></SignedInfo><SignatureValue>iFiu+3thMIuzkZVJHJx60ypsuqo2zbmzRMUbDREWczTLfSjO5V9eHETz/uvLEZut
vAP04C9AwlFwoCjNrn6+/A==</SignatureValue><KeyInfo><X509Data>
<X509Certificate>MIIBBTCBrAIBBzAKBggqhkjOPQQDAjAOMQwwCgYDVQQDDANBbm4wIBcNMjYxMTIx
MjEyMDAyWhgPMjEyNjEwMjgyMTIwMDJaMA4xDDAKBgNVBAMMA0FubjBZMBMGByqG
SM49AgEGCCqGSM49AwEHA0IABAiPR8UVL5OW/Dbai7KBf1IR9s3rhig1ZkwOW9q7
pfjSIupNY13l6PcvtxGvHouTFsFiNTEE4w+aS4/tE4hAaTgwCgYIKoZIzj0EAwID
SAAwRQIgEH4K7qny/W1hOXu+xNA43EOE+dEKgpIHz/WO1LDObCgCIQDL61FxxEJc
dKqewFe/0PB20qn5LwOxCAwbSC6AD4OZGg==
</X509Certificate>
</X509Data></KeyInfo></Signature></act>
`

/** The signer of all samples, as replies describe it. */
export const ann = { subject: 'CN=Ann', issuer: 'CN=Ann', serial: '07', key_id: null, countersigns: null }

/** Makes signed data with `size` bytes of content, which depends on the seed. */
export const large = (size: number, seed = 0) => ofContent(new Uint8Array(size).map((_, i) => (i * 31 + seed) >>> 3))

/** Makes a copy of the attached sample with other content. It can be parsed, but its digest does not match. */
function ofContent(bytes: Uint8Array): string {
  const whole = Buffer.from(attached, 'base64')
  const [version, data, rest] = [whole.subarray(23, 41), whole.subarray(43, 54), whole.subarray(70)]
  const carried = der(0x30, data, der(0xa0, der(0x04, bytes)))
  const signed = der(0x30, whole.subarray(4, 15), der(0xa0, der(0x30, version, carried, rest)))
  return Buffer.from(signed.buffer).toString('base64')
}
