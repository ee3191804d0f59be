// Namespace URIs of XML signatures: XMLDSig 1.0 and 1.1, later algorithms (RFC 9231) and XML Encryption.
export const ds = 'http://www.w3.org/2000/09/xmldsig#'
export const ds11 = 'http://www.w3.org/2009/xmldsig11#'
export const more = 'http://www.w3.org/2001/04/xmldsig-more#'
export const more2007 = 'http://www.w3.org/2007/05/xmldsig-more#'
export const more2021 = 'http://www.w3.org/2021/04/xmldsig-more#'
export const xmlenc = 'http://www.w3.org/2001/04/xmlenc#'

/** Whether a namespace is that of XAdES (ETSI TS 101 903, EN 319 132). The namespaces of all versions have this prefix. */
export const isXades = (uri: string) => uri.startsWith('http://uri.etsi.org/01903/')
