import type { DomainSignals } from "./schema.ts";

export const scientific: DomainSignals = {
  domain: "scientific",
  about: "Computation for science and engineering: numerics, statistics, analysis of measurements.",
  nature: "field",
  definingFiles: "*.Rproj DESCRIPTION Project.toml *.jl",
  uniqueFiles: "*.f90 *.cdf *.nc *.fits environment.yml *.Rmd *.mlx codemeta.json",
  commonFiles: "CITATION.cff",
  frameworks: {
    npm: "mathjs simple-statistics",
    pypi: "scipy sympy astropy statsmodels xarray numba biopython scikit-bio nibabel pymc fenics cupy dask networkx pyscf ase openmm mdanalysis qiskit cirq obspy sunpy scanpy anndata pyerfa rdkit netcdf4 h5py mne qutip cvxpy geopandas",
    cargo: "ndarray nalgebra polars peroxide faer statrs",
    go: "gonum.org/v1/gonum",
    maven: "org.apache.commons:commons-math3 org.nd4j:* org.orekit:orekit",
    nuget: "mathnet.numerics",
    native: "lapack blas openblas mpi hdf5 petsc fftw eigen3 gsl boost_numeric netcdf vtk",
  },
  helpers: {
    pypi: "numpy pandas matplotlib scikit-learn jupyter jupyterlab seaborn ipykernel plotly cython pythran pooch imageio scikit-image tifffile meson-python",
  },
  extensions: "r jl f90 f95 f03 f for rmd",
  generalExtensions: "ipynb",
  directories: "notebooks analysis figures data simulations results",
  categories: [
    "cargo:science",
    "cargo:mathematics",
    "python:Topic :: Scientific/Engineering",
    "python:Intended Audience :: Science/Research",
  ],
  statements: [
    "\\b(?:scientific|numerical|statistical|finite element|molecular dynamics|bioinformatics|astronomy|astrophysics|linear algebra|genomics|image processing|quantum|climate|computational) (?:comput\\w+|analysis|methods|library|package|simulat\\w+|python|chemistry|physics|model\\w*|software|data)?",
    "\\bfor (?:astronomy|physics|chemistry|biology|statistics|neuroscience|mathematics)\\b",
  ],
  keywords: [
    "science",
    "numerical",
    "statistics",
    "physics",
    "bioinformatics",
    "astronomy",
    "math",
    "simulation",
  ],
  givesWay: { to: ["ml-pipeline", "game-simulation", "data-pipeline"], by: 0.5 },
};
