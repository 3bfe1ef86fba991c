import type { DomainSignals } from "./schema.ts";

export const smartContract: DomainSignals = {
  domain: "smart-contract",
  about: "Programs that run on a blockchain, and what is needed to test and deploy them.",
  nature: "product",
  definingFiles:
    "foundry.toml hardhat.config.* truffle-config.js truffle.js Anchor.toml brownie-config.yaml *.sol *.vy Move.toml Scarb.toml *.cairo *.tact ape-config.yaml *.clar Clarinet.toml remappings.txt",
  frameworks: {
    npm: "@openzeppelin/contracts @openzeppelin/contracts-upgradeable @coral-xyz/anchor @project-serum/anchor @chainlink/contracts",
    pypi: "eth-brownie eth-ape vyper boa titanoboa",
    cargo:
      "anchor-lang solana-program cosmwasm-std ink near-sdk soroban-sdk anchor-spl pinocchio fuels stylus-sdk frame-support pallet-balances",
    go: "github.com/cosmos/cosmos-sdk github.com/hyperledger/fabric-contract-api-go",
  },
  tools: {
    npm: "hardhat truffle ganache solc @nomiclabs/hardhat-ethers @nomicfoundation/hardhat-toolbox solhint hardhat-gas-reporter solidity-coverage @nomiclabs/hardhat-waffle",
  },
  helpers: { npm: "ethers web3 viem wagmi @solana/web3.js", pypi: "web3" },
  extensions: "sol vy cairo move clar fc tact",
  uniqueDirectories: "contracts",
  directories: "programs deploy migrations interfaces",
  statements: [
    "\\bsmart contracts?\\b",
    "\\b(?:solidity|ethereum|solana|evm|erc-?20|erc-?721|defi|blockchain) (?:contracts?|programs?|protocol|library|tokens?)\\b",
  ],
  keywords: [
    "solidity",
    "ethereum",
    "smart-contracts",
    "web3",
    "blockchain",
    "solana",
    "defi",
    "evm",
  ],
};
