// Makes the signed data that is kept in the tests' folder and that neither openssl nor xmlsec1 can make:
// java -cp /usr/share/java/bcprov.jar:/usr/share/java/bcutil.jar:/usr/share/java/bcpkix.jar Peers.java <folder>
// (of Debian's libbcpkix-java, and the JDK's own XML signatures).
import java.io.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.cert.X509Certificate;
import java.security.spec.*;
import java.util.*;
import javax.xml.crypto.dsig.*;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.keyinfo.*;
import javax.xml.crypto.dsig.spec.*;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.*;
import org.bouncycastle.cms.*;
import org.bouncycastle.cms.jcajce.*;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.jcajce.*;
import org.w3c.dom.*;

public class Peers {
  static final byte[] content = "Ann owes Bob 5 €.\r\nOn demand.\n\0\r".getBytes(StandardCharsets.UTF_8);
  static final Provider bc = new BouncyCastleProvider();
  static Path folder;

  record Signer(String name, KeyPair pair, X509Certificate certificate, String algorithm) {}

  public static void main(String[] args) throws Exception {
    folder = Path.of(args[0]);
    Security.addProvider(bc);
    Signer rsa = signer("rsa", "RSA", 2048, "SHA256withRSA");
    Signer ec = signer("p256", "EC", new ECGenParameterSpec("secp256r1"), "SHA256withECDSA");
    Signer ed = signer("ed25519", "Ed25519", null, "Ed25519");
    Signer pss = new Signer("rsa", rsa.pair, rsa.certificate, "SHA256withRSAandMGF1");
    write("bc-ed25519", cms(false, false, ed).getEncoded("DER"));
    write("bc-ed25519-noattr", cms(false, true, ed).getEncoded("DER"));
    write("bc-several", cms(false, false, rsa, ec, ed, pss).getEncoded("DER"));
    write("bc-stream", streamed(rsa, ec));
    write("bc-countersigned", countersigned(cms(false, false, rsa, ec), ec, ed).getEncoded("DER"));
    write("jdk-pss", xml(rsa, "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", null, ""));
    write("jdk-pss-parameters", xml(rsa, "http://www.w3.org/2007/05/xmldsig-more#rsa-pss",
        new RSAPSSParameterSpec(new PSSParameterSpec("SHA-512", "MGF1", MGF1ParameterSpec.SHA512, 20, 1)), ""));
    write("jdk-several", xml(ec, "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256", null, "#first", "#second"));
  }

  static void write(String name, byte[] bytes) throws IOException {
    Files.write(folder.resolve(name), bytes);
  }

  static Signer signer(String name, String kind, Object parameters, String algorithm) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(kind, kind.equals("Ed25519") ? "BC" : kind.equals("EC") ? "SunEC" : "SunRsaSign");
    if (parameters instanceof Integer size) generator.initialize(size);
    if (parameters instanceof AlgorithmParameterSpec spec) generator.initialize(spec);
    KeyPair pair = generator.generateKeyPair();
    X500Name subject = new X500Name("CN=" + name + " of Java");
    Date from = new Date();
    Date to = new Date(from.getTime() + 3650L * 86400000);
    var builder = new JcaX509v3CertificateBuilder(subject, BigInteger.valueOf(7), from, to, subject, pair.getPublic());
    var certificate = builder.build(new JcaContentSignerBuilder(algorithm).build(pair.getPrivate()));
    return new Signer(name, pair, new JcaX509CertificateConverter().getCertificate(certificate), algorithm);
  }

  static SignerInfoGenerator infoGenerator(Signer signer, boolean isBare) throws Exception {
    var digests = new JcaDigestCalculatorProviderBuilder().setProvider(bc).build();
    var builder = new JcaSignerInfoGeneratorBuilder(digests).setDirectSignature(isBare);
    var contentSigner = new JcaContentSignerBuilder(signer.algorithm).setProvider(bc).build(signer.pair.getPrivate());
    return builder.build(contentSigner, signer.certificate);
  }

  static CMSSignedData cms(boolean isDetached, boolean isBare, Signer... signers) throws Exception {
    var generator = new CMSSignedDataGenerator();
    for (Signer signer : signers) generator.addSignerInfoGenerator(infoGenerator(signer, isBare));
    generator.addCertificates(new JcaCertStore(certificates(signers)));
    return generator.generate(new CMSProcessableByteArray(content), !isDetached);
  }

  static Set<X509Certificate> certificates(Signer... signers) {
    var certificates = new LinkedHashSet<X509Certificate>();
    for (Signer signer : signers) certificates.add(signer.certificate);
    return certificates;
  }

  static byte[] streamed(Signer... signers) throws Exception {
    var generator = new CMSSignedDataStreamGenerator();
    generator.setBufferSize(8);
    for (Signer signer : signers) generator.addSignerInfoGenerator(infoGenerator(signer, false));
    generator.addCertificates(new JcaCertStore(certificates(signers)));
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out = generator.open(bytes, true)) { out.write(content); }
    return bytes.toByteArray();
  }

  /** The first signer is counter-signed by one, and that one's signature by another. */
  static CMSSignedData countersigned(CMSSignedData data, Signer by, Signer inTurn) throws Exception {
    var signers = new ArrayList<>(data.getSignerInfos().getSigners());
    SignerInformation first = signers.get(0);
    SignerInformationStore outer = counterSignature(first, by);
    SignerInformation counter = outer.getSigners().iterator().next();
    counter = SignerInformation.addCounterSigners(counter, counterSignature(counter, inTurn));
    signers.set(0, SignerInformation.addCounterSigners(first, new SignerInformationStore(counter)));
    var generator = new CMSSignedDataGenerator();
    generator.addSigners(new SignerInformationStore(signers));
    generator.addCertificates(data.getCertificates());
    generator.addCertificates(new JcaCertStore(certificates(inTurn)));
    return generator.generate(data.getSignedContent(), true);
  }

  static SignerInformationStore counterSignature(SignerInformation of, Signer by) throws Exception {
    var generator = new CMSSignedDataGenerator();
    generator.addSignerInfoGenerator(infoGenerator(by, false));
    return generator.generateCounterSigners(of);
  }

  static byte[] xml(Signer signer, String method, SignatureMethodParameterSpec parameters, String... uris) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    String source = "<orders xmlns='urn:orders'>\n  <order ID='first'>5 €</order>\n  <order ID='second' b='' a='&#10;'/>\n</orders>";
    Document document = factory.newDocumentBuilder().parse(new ByteArrayInputStream(source.getBytes(StandardCharsets.UTF_8)));
    NodeList orders = document.getElementsByTagNameNS("urn:orders", "order");
    for (String uri : uris) {
      XMLSignatureFactory signatures = XMLSignatureFactory.getInstance("DOM");
      String transform = uri.isEmpty() ? Transform.ENVELOPED : CanonicalizationMethod.EXCLUSIVE;
      Reference reference = signatures.newReference(uri, signatures.newDigestMethod(DigestMethod.SHA512, null),
          List.of(signatures.newTransform(transform, (TransformParameterSpec) null)), null, null);
      SignedInfo info = signatures.newSignedInfo(
          signatures.newCanonicalizationMethod(CanonicalizationMethod.INCLUSIVE, (C14NMethodParameterSpec) null),
          signatures.newSignatureMethod(method, parameters), List.of(reference));
      KeyInfoFactory keys = signatures.getKeyInfoFactory();
      KeyInfo keyInfo = keys.newKeyInfo(List.of(keys.newX509Data(List.of(signer.certificate))));
      DOMSignContext context = new DOMSignContext(signer.pair.getPrivate(), document.getDocumentElement());
      context.setDefaultNamespacePrefix("ds");
      for (int i = 0; i < orders.getLength(); i++) context.setIdAttributeNS((Element) orders.item(i), null, "ID");
      signatures.newXMLSignature(info, keyInfo).sign(context);
    }
    var bytes = new ByteArrayOutputStream();
    TransformerFactory.newInstance().newTransformer().transform(new DOMSource(document), new StreamResult(bytes));
    return bytes.toByteArray();
  }
}
