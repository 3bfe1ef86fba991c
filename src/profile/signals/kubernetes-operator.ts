import type { DomainSignals } from "./schema.ts";

export const kubernetesOperator: DomainSignals = {
  domain: "kubernetes-operator",
  about: "A controller that runs in Kubernetes and looks after resources of its own kinds.",
  nature: "product",
  definingFiles:
    "PROJECT config/crd/kustomization.yaml *.clusterserviceversion.yaml bundle/manifests/annotations.yaml watches.yaml manifests/crd.yaml bundle.Dockerfile",
  uniqueFiles: "zz_generated.deepcopy.go groupversion_info.go hack/update-codegen.sh",
  frameworks: {
    go: "sigs.k8s.io/controller-runtime github.com/operator-framework/operator-sdk github.com/operator-framework/api github.com/crossplane/crossplane-runtime k8s.io/code-generator knative.dev/pkg sigs.k8s.io/controller-tools",
    pypi: "kopf",
    cargo: "kube-runtime kube kube-derive",
    maven: "io.javaoperatorsdk:* io.fabric8:kubernetes-client",
    nuget: "kubeops.operator kubeops",
    npm: "@dot-i/k8s-operator",
  },
  helpers: {
    go: "k8s.io/apimachinery k8s.io/client-go k8s.io/api k8s.io/apiextensions-apiserver",
    pypi: "kubernetes",
    cargo: "k8s-openapi",
  },
  uniqueDirectories: "config/crd config/crds api/v1alpha1 api/v1beta1 apis pkg/apis",
  directories: "controllers controller reconciler webhooks crds api charts operator",
  statements: [
    "\\b(?:kubernetes|k8s|openshift|native) (?:operator|controller)\\b",
    "\\boperator (?:for|that|creates|manages|provides) \\b",
    "\\bcustom resource(?:s| definitions?)\\b",
  ],
  keywords: ["kubernetes-operator", "operator", "controller", "crd", "kubernetes"],
};
