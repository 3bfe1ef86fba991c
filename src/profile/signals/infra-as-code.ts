import type { DomainSignals } from "./schema.ts";

export const infraAsCode: DomainSignals = {
  domain: "infra-as-code",
  about: "Describes machines, networks and services as code: Terraform, Pulumi, Ansible, CDK, Nix.",
  nature: "product",
  definingFiles:
    "*.tf Pulumi.yaml cdk.json ansible.cfg terragrunt.hcl *.tofu Vagrantfile *.pkr.hcl cdktf.json *.bicep playbook.yml site.yml meta/main.yml tasks/main.yml *.nomad cloudformation.yaml Puppetfile Berksfile galaxy.yml",
  uniqueFiles:
    "*.tfvars .terraform.lock.hcl inventory.ini hosts.ini requirements.yml kustomization.yaml *.hcl configuration.nix molecule/default/molecule.yml .tflint.hcl",
  frameworks: {
    npm: "aws-cdk-lib @aws-cdk/* @pulumi/* cdktf sst",
    pypi: "aws-cdk-lib pulumi pulumi-aws ansible ansible-core cdktf troposphere molecule",
    go: "github.com/pulumi/pulumi/sdk github.com/aws/aws-cdk-go/awscdk",
    maven: "software.amazon.awscdk:* com.pulumi:*",
    nuget: "pulumi amazon.cdk.lib",
    gems: "chef puppet kitchen-terraform",
  },
  tools: { npm: "aws-cdk" },
  helpers: { go: "github.com/gruntwork-io/terratest" },
  entries: "terraform:resources terraform:module",
  extensions: "tf tfvars bicep pp hcl",
  generalExtensions: "yml yaml j2 nix",
  uniqueDirectories: "playbooks group_vars host_vars terraform",
  directories:
    "roles modules environments infra infrastructure inventory handlers tasks defaults vars cloudformation",
  statements: [
    "\\bterraform (?:module|configuration|code)\\b",
    "\\b(?:infrastructure[- ]as[- ]code|infrastructure code|ansible (?:role|playbook|collection)|cloudformation|nixos config\\w*|helm charts?|gitops repo\\w*|landing zone)\\b",
  ],
  keywords: ["terraform", "ansible", "iac", "infrastructure", "aws", "cdk", "pulumi"],
};
