import type { DomainSignals } from "./schema.ts";

export const cryptography: DomainSignals = {
  domain: "cryptography",
  about: "Ciphers, hashes, signatures, protocols and the tools made of them.",
  nature: "field",
  uniqueFiles:
    "aes.c sha256.c sha512.c ed25519.c chacha20.c curve25519.c aes.rs sha2.rs ecdsa.go blake2b.c poly1305.c keccak.c *.circom sha3.c",
  frameworks: {
    npm: "snarkjs circomlib",
    pypi: "charm-crypto py-ecc",
    cargo:
      "digest cipher block-buffer aead curve25519-dalek elliptic-curve crypto-common hybrid-array ark-ff ark-ec halo2_proofs bellman age",
    go: "filippo.io/age github.com/cloudflare/circl filippo.io/edwards25519 github.com/consensys/gnark github.com/tink-crypto/tink-go",
    maven: "com.google.crypto.tink:tink",
    nuget: "bouncycastle.cryptography nsec.cryptography libsodium",
  },
  helpers: {
    cargo:
      "subtle zeroize sha2 hex-literal rand_core ring argon2 rsa hmac aes aes-gcm chacha20poly1305 blake3 k256 p256 ed25519-dalek x25519-dalek",
    go: "golang.org/x/crypto github.com/ProtonMail/go-crypto",
    npm: "bcrypt jose node-forge openpgp elliptic tweetnacl @noble/hashes @noble/curves libsodium-wrappers",
    pypi: "cryptography pyopenssl pycryptodome pynacl ecdsa",
    native: "mbedtls wolfssl libgcrypt libsodium botan",
    maven: "org.bouncycastle:*",
    swift: "swift-crypto cryptoswift",
  },
  uniqueDirectories: "crypto_aead crypto_hash crypto_sign ciphers crypto_core",
  directories: "crypto aead hash sign cipher kdf",
  categories: ["cargo:cryptography", "python:Topic :: Security :: Cryptography"],
  statements: [
    "\\b(?:cryptograph(?:y|ic)|crypto library|encryption (?:tool|library|software)|zero[- ]knowledge|hash functions?|digital signatures?|post-quantum|tls library|ssl library|elliptic curve)\\b",
    "\\bfile encryption\\b",
  ],
  keywords: ["crypto", "cryptography", "encryption", "hash", "signature", "zk", "tls", "digest"],
  givesWay: {
    to: ["smart-contract", "web-api", "fullstack-web", "desktop-app", "mobile-app", "networking"],
    by: 0.5,
  },
};
