import type { DomainSignals } from "./schema.ts";

export const networking: DomainSignals = {
  domain: "networking",
  about:
    "Protocols and traffic itself: proxies, tunnels, VPNs, servers and stacks for network protocols.",
  nature: "field",
  uniqueFiles: "*.pcap haproxy.cfg wireguard.c *.p4",
  frameworks: {
    npm: "http-proxy dgram2 node-datachannel libp2p simple-peer net-snmp",
    pypi: "scapy netmiko dpkt pyshark napalm mitmproxy impacket nornir",
    cargo:
      "quinn smoltcp pnet libp2p hickory-proto trust-dns-proto snow boringtun tun s2n-quic quiche pingora hickory-server etherparse",
    go: "github.com/quic-go/quic-go golang.zx2c4.com/wireguard github.com/libp2p/go-libp2p github.com/google/gopacket github.com/hashicorp/yamux github.com/xtaci/kcp-go github.com/pion/webrtc github.com/xtls/xray-core github.com/songgao/water github.com/caddyserver/caddy github.com/armon/go-socks5 github.com/cilium/ebpf tailscale.com",
    maven: "io.netty:* org.apache.mina:* org.pcap4j:*",
    nuget: "sharppcap dotnetty.*",
    native: "libpcap pcap dpdk libnl",
    swift: "swift-nio",
    hex: "ranch thousand_island",
  },
  helpers: {
    go: "github.com/gorilla/websocket golang.org/x/net github.com/pires/go-proxyproto github.com/coreos/go-oidc github.com/miekg/dns github.com/vishvananda/netlink",
    cargo: "rustls bytes tokio-util socket2 mio h3 russh",
    native: "openssl nghttp2 ngtcp2 nghttp3 libssh2 libevent c-ares libcares libuv",
    pypi: "paramiko dnspython twisted",
  },
  uniqueDirectories: "tunnel vpn dns proxy socks quic",
  directories: "net transport protocol packet server client proto http stream",
  categories: [
    "cargo:network-programming",
    "python:Topic :: System :: Networking",
    "python:Topic :: Internet :: Proxy Servers",
    "python:Topic :: Internet :: Name Service (DNS)",
  ],
  statements: [
    "\\b(?:reverse|forward|http|socks5?|tcp|udp|transparent) prox(?:y|ies)\\b",
    "\\b(?:vpn|tunnel(?:ing)?|load balancer|port forwarding|dns (?:server|resolver)|packet (?:capture|analyzer)|network (?:stack|scanner|protocol|simulator)|mail (?:server|proxy)|web server|tcp/ip stack|p2p|peer-to-peer)\\b(?! framework)",

    "\\b(?:quic|webrtc|mqtt|ssh|http/3|smtp|bgp) (?:implementation|server|broker|stack|client)\\b",
    "\\basynchronous i/o\\b",
  ],
  keywords: ["network", "networking", "proxy", "vpn", "tcp", "udp", "tunnel", "dns", "p2p", "quic"],
  against: { "entry-point:own-name": 0.3 },
  givesWay: {
    to: ["web-api", "mcp-server", "bot", "database-engine", "kubernetes-operator"],
    by: 0.3,
  },
};
